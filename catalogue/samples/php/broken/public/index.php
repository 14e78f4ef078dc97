<?php
throw new RuntimeException('broken on purpose');
