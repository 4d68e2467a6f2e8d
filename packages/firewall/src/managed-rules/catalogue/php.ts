// Cloudflare Php: attacks on PHP and on frameworks written in it.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { AS_SENT, FILE_PATH, INPUT, LOWER, PATH, TEXT, URI } from './views.ts'

export const PHP = traditionalGroup(CLOUDFLARE_GROUP_IDS.php, [
  {
    ids: ['190601', 'fc09ea191ee1afccd5d750e0f54617c5', '22a8b75b6a696fa52378081bd81fdef8'],
    description: 'PHP - Options of the program in the query - CVE-2012-1823, CVE-2024-4577',
    tags: ['php', 'rce', 'cve-2012-1823', 'cve-2024-4577'],
    mode: 'block',
    detection: pattern(['query'], ['url-decode', 'lower-case'])`
      ^[-\xad][a-z]\b.{0,200}(?:allow_url_include|auto_prepend_file|auto_append_file|disable_functions|open_basedir|cgi\.force_redirect)
      ^[-\xad]s$
      d[+ ]+allow_url_include[= ]+(?:1|on).{0,80}auto_prepend_file
    `,
  },
  {
    ids: ['190602', 'c3dd61b4aa4d2a3db407f38fee675c9c', '83e01772b524f3f9355d8bee69f0c179'],
    description: 'PHPUnit - Code read from the body - CVE-2017-9841',
    tags: ['php', 'rce', 'cve-2017-9841'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`/phpunit/(?:phpunit/)?(?:src/)?util/php/eval-stdin\.php`,
  },
  {
    ids: ['190603', 'f6c8962ceb8f99c976c7be385971a197', '5eae35a95e38a887fcd77692aadf0c4a'],
    description: 'ThinkPHP - Function called through the route - CVE-2018-20062',
    tags: ['php', 'thinkphp', 'rce', 'cve-2018-20062'],
    mode: 'block',
    detection: pattern([...URI, 'args', 'arg-names'], TEXT)`
      think[\\/](?:app|container|request|view|template|module|config)[\\/]
      invokefunction[^\s+]{1,80}(?:call_user_func|phpinfo|system|assert)
      _method=__construct
      lang=\.\./.{0,80}pearcmd
    `,
  },
  {
    ids: ['190604', 'b86681f0dcc4a620585c7a887045ec62', '6683848f2b8756b2aab95c07c7b2428d'],
    description: 'Laravel - Solution of the error page - CVE-2021-3129',
    tags: ['php', 'laravel', 'rce', 'cve-2021-3129'],
    mode: 'block',
    detection: every(check(PATH, FILE_PATH)`/_ignition/execute-solution`, check(['method'], AS_SENT)`^POST$`),
  },
  {
    ids: ['190605', 'a1e470459884d7c18cd4379a81913336', '96a761d7ad1a55933bec5d30a68256d2'],
    description: 'PHP - Code that reads its orders from the request',
    tags: ['php', 'rce', 'web-shell'],
    mode: 'block',
    detection: pattern(['args', 'body', 'cookies', 'headers', 'user-agent'], TEXT)`
      (?:^[^ ]{0,60}|<\?.{0,80}|; ?@?)(?:eval|assert|system|exec|shell_exec|passthru|create_function|call_user_func|include|require) ?\(? ?[@\\]*\$\{?_(?:get|post|request|cookie|server)\b
      \$_(?:get|post|request|cookie) ?\[[^\]]{1,40}\]\([^ ]
      (?:eval|assert) ?\( ?(?:base64_decode|gzinflate|str_rot13|chr|hex2bin) ?\((?: ?['"$@]|[^ ])
      ^<\?(?:php\b|=) ?(?:@?(?:eval|assert|system|exec|shell_exec|passthru|phpinfo|file_put_contents|include|require)\b|\x60|\$_|\$\w{1,12} ?=)
      ^<\?(?:php\b|=) ?(?:echo|die|print)\b ?\(? ?@?(?:(?:system|exec|shell_exec|passthru|md5|phpinfo|file_get_contents) ?\(|\x60|\d)
    `,
  },
  {
    ids: ['190606', '946d4e6cf58a97c17f106999a1152ab5', '6cb7c75995678576b2b42b92b3e081e6'],
    description: 'PHP - Call of a function that runs commands',
    tags: ['php', 'rce'],
    mode: 'block',
    detection: pattern(INPUT, TEXT)`
      ^(?:[^ ]{0,39}[^\w.> ])?(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec) ?\( ?['"][^'"]{1,120}['"] ?(?:,[^)]{0,60})?\) ?(?:$|[;}\]),.|&<?#/])
      ^[^ ]{0,24}(?:\$\{@?|@|;|\{)?(?:phpinfo|print ?\(? ?md5|die ?\( ?(?:@?md5|pi)|var_dump ?\( ?md5) ?\( ?[\d'"]{0,12} ?\)(?:$|[;)}?&#/])
    `,
  },
  {
    ids: ['190607', 'd587bd33eb55568f74cb2cbf73ccec88', '1828bc8fb8d85a33b1cf5912ea0afcf0'],
    description: 'phpMyAdmin - File included by its target - CVE-2018-12613',
    tags: ['php', 'phpmyadmin', 'file-inclusion', 'cve-2018-12613'],
    mode: 'block',
    detection: pattern(['arg:target'], FILE_PATH)`
      ^(?:db|sql|tbl|server|view|import|export)_[a-z_]{2,40}\.php[?%].{0,40}\.\./
      (?:\.\./){2}
    `,
  },
  {
    ids: ['190608', '4f4435aca7b26caf8afd303725416098', 'f45a7f5229da56155b07e53ff58fe3b5'],
    description: 'PHP - Variables of the program set by the client',
    tags: ['php'],
    mode: 'block',
    detection: pattern(['arg-names', 'cookie-names'], AS_SENT)`
      ^(?:GLOBALS|_(?:GET|POST|REQUEST|SERVER|SESSION|ENV|FILES|COOKIE))(?:\[|$)
    `,
  },
  {
    ids: ['190609', '5eed63024f4ba847d64cbb385756b8bd', 'e34129d03af45aac2ef361f7c77835e6'],
    description: 'PEAR - Command line reached through an included file',
    tags: ['php', 'file-inclusion', 'rce'],
    mode: 'block',
    detection: pattern([...URI], FILE_PATH)`
      [?&]\+(?:config-create|install|download|channel-discover)\+
      (?:/|=)pearcmd(?:\.php)?(?:&|$)
    `,
  },
  {
    ids: ['190610', '0b04c095f35a6243d9b2b1403d88439a', 'fc14b36eaccb2f38b1898d928b516db1'],
    description: 'PHP-FPM - Line feed in the path - CVE-2019-11043',
    tags: ['php', 'rce', 'cve-2019-11043'],
    mode: 'block',
    detection: pattern(PATH, LOWER)`\.php(?:/[^?]{0,200})?%0a`,
  },
  {
    ids: ['190611', '900d5cbc13e0e775f3e9fd57e8ef2dc3', '47d49585eacb37d5c098d3e1d203a8ca'],
    description: 'Symfony and Laravel - Profiler and settings of development',
    tags: ['php', 'information-disclosure'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /_profiler/(?:open|phpinfo|empty/search)
      /app_dev\.php/
      /_fragment$
      /storage/logs/laravel\.log
      /(?:telescope|horizon)/(?:api|requests)
    `,
  },
])
