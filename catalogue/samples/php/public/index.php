<?php
header('Content-Type: text/plain');
switch (explode('?', $_SERVER['REQUEST_URI'])[0]) {
    case '/told/of.it':
        $file = fn (string $name): string => basename($_SERVER[$name]);
        $told = [$_SERVER['SCRIPT_NAME'], $_SERVER['PHP_SELF'], $file('SCRIPT_FILENAME'), $file('DOCUMENT_ROOT')];
        array_push($told, $_SERVER['PATH_INFO'] ?? '', $_SERVER['REQUEST_URI'], $_GET['by']);
        echo implode('|', $told), "\n";
        break;
    case '/secret':
        $known = ($_SERVER['HTTP_AUTHORIZATION'] ?? '') === 'Basic YWRhOmxhYg==';
        echo $known ? "Welcome, ada\n" : "Who are you?\n";
        break;
    case '/echo':
        echo file_get_contents('php://input');
        break;
    default:
        echo "Hello from PHP\n";
}
