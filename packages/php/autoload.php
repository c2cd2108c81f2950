<?php
// Loads the classes for projects that do not use Composer.

declare(strict_types=1);

foreach (['errors', 'Transport', 'CurlTransport', 'Webhook', 'Types', 'Pix'] as $file) {
    require_once __DIR__ . "/src/$file.php";
}
