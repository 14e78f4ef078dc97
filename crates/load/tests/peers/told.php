<?php
// Says what it was told, and how long a body it was sent.
header('Content-Type: text/plain');
foreach (['DOCUMENT_ROOT', 'SCRIPT_NAME', 'PHP_SELF', 'QUERY_STRING', 'APP_ENV', 'REMOTE_ADDR'] as $name) {
    echo $name, '=', $_SERVER[$name] ?? 'none', "\n";
}
echo basename($_SERVER['SCRIPT_FILENAME']), ' ', strlen(file_get_contents('php://input')), "\n";
