// Cloudflare WordPress: attacks on WordPress, its plugins and its themes.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, expression, pattern, traditionalGroup } from './rule-draft.ts'
import { AS_SENT, FILE_PATH, LOWER, MARKUP, PATH, SQL, TEXT, URI } from './views.ts'

export const WORDPRESS = traditionalGroup(CLOUDFLARE_GROUP_IDS.wordpress, [
  {
    ids: ['WP0025B', '32c205b074376626a8baf4f6b5654617', 'db0b324d90efd47c99e9fa0e976722c2'],
    description: 'WordPress - Post changed by way of its number given twice - CVE-2017-1001000',
    tags: ['wordpress', 'broken-access-control', 'cve-2017-1001000'],
    mode: 'block',
    detection: every(
      check(['uri'], FILE_PATH)`(?:/wp-json|rest_route=)/?/?wp/v2/(?:posts|pages)/\d+`,
      check(['arg:id'], LOWER)`^\d+[^\d]`,
    ),
  },
  {
    ids: ['190301', '15d340e9efa7d26f48be547e53a6ef19', '478608e40ab2ccdb98182483d6dd114b'],
    description: 'WordPress - Many calls in one over XML-RPC',
    tags: ['wordpress', 'brute-force'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/xmlrpc\.php$`,
      check(['body', 'args'], LOWER)`system\.multicall`,
    ),
  },
  {
    ids: ['190302', '5867235b149d38ffd48cd31aa3cc71bc', 'ba6c7796df05101a48a75550f2007e89'],
    description: 'WordPress - Pingback that makes the site ask others',
    tags: ['wordpress', 'ssrf'],
    mode: 'challenge',
    detection: every(check(PATH, FILE_PATH)`/xmlrpc\.php$`, check(['body', 'args'], LOWER)`pingback\.ping`),
  },
  {
    ids: ['190303', '2582a05efea65ae0f3dd0355e922bf20', '33be745e88fef686e00ac9f62c0bb188'],
    description: 'WordPress - Settings file asked for through a plugin or a theme',
    tags: ['wordpress', 'file-inclusion'],
    mode: 'block',
    detection: every(
      check(['uri'], FILE_PATH)`/wp-(?:admin|content|includes|json)/`,
      check(['args'], FILE_PATH)`
        (?:^|/)wp-config(?:\.php|-sample)?
        (?:\.\./){2}
        ^/?etc/passwd
      `,
    ),
  },
  {
    ids: ['190304', 'bface62f5992ed35a76af65755cb9758', '4d280663126ef570698871a5831823ca'],
    description: 'WordPress - Upload of code through a plugin',
    tags: ['wordpress', 'file-upload', 'rce'],
    mode: 'block',
    detection: every(
      check(['uri'], FILE_PATH)`/wp-(?:content/plugins|admin/admin-(?:ajax|post)\.php)`,
      check(['filenames'], FILE_PATH)`\.(?:php[0-9s]?|phtml|phar|pht|htaccess)(?:\.|$)`,
    ),
  },
  {
    ids: ['190305', '7ab6d6fd19ca0f3811b456078e993cd2', '797d25100b0e1cc021268afb62e5029e'],
    description: 'WordPress - Code run from the folder of uploads',
    tags: ['wordpress', 'web-shell'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /wp-content/(?:uploads|blogs\.dir|files)/.{0,200}\.(?:php[0-9s]?|phtml|phar|pht)(?:/|$)
      /wp-content/(?:cache|upgrade)/.{0,200}\.php$
    `,
  },
  {
    ids: ['190306', 'f1fb5de9a3dd8a7a5806371b65ecd047', 'f383d3ef4acdd614736235b3de096daf'],
    description: 'WordPress - Options written through a plugin',
    tags: ['wordpress', 'broken-access-control'],
    mode: 'block',
    detection: every(
      check(['uri'], FILE_PATH)`/wp-admin/admin-(?:ajax|post)\.php|/wp-json/`,
      check(['args', 'arg-names'], TEXT)`
        ^(?:users_can_register|default_role|wp_user_roles|siteurl)$
        "(?:default_role|users_can_register)" ?:
        \[(?:users_can_register|default_role|siteurl)\]
      `,
    ),
  },
  {
    ids: ['190307', '276af179ab1c37415730e4bedd09714b', 'ff7c04a68cc07716c982479853d81bcc'],
    description: 'WordPress - SQL in the parameters of WordPress or a plugin',
    tags: ['wordpress', 'sqli'],
    mode: 'block',
    detection: every(
      check(['uri'], FILE_PATH)`/wp-(?:admin|content|json)/`,
      check(['args', 'cookies'], SQL)`
        ^(?:[-+]?\d[\w.]{0,24}|[\w.@-]{0,24}['")]+)[ (]+(?:union(?: all)? select|and[ (]+(?:select|sleep|\d+ ?=)|or[ (]+(?:select|sleep|\d+ ?=))
        \(select[ (].{0,80}\b(?:sleep ?\(|from wp_)
      `,
    ),
  },
  {
    ids: ['190308', 'f1a989730258471c392db21712678136', '69bc9e6bb1676de06e45dd27efbea0a8'],
    description: 'WordPress - Scripts loaded many at once - CVE-2018-6389',
    tags: ['wordpress', 'denial-of-service', 'cve-2018-6389'],
    mode: 'challenge',
    detection: expression`
      len(http.request.uri.query) gt 1500 and http.request.uri.path matches "/wp-admin/load-(?:scripts|styles)[.]php$"
    `,
  },
  {
    ids: ['190309', '83da13f85e962a55f6aed400711862bc', '5ea17dd1b552b92ed76ffdb9855896ab'],
    description: 'WordPress - Names of users',
    tags: ['wordpress', 'information-disclosure'],
    mode: 'simulate',
    detection: every(
      check(URI, FILE_PATH)`[?&]author=\d+(?:&|$)|/wp/v2/users(?:/|\?|$)`,
      check(['method'], AS_SENT)`^GET$`,
    ),
  },
  {
    ids: ['190310', '14c09becd2b913b48059bc88957328bb', 'b5467de52896455244adcb7aa1e5673e'],
    description: 'WordPress - Script in a comment or a form',
    tags: ['wordpress', 'xss'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`/wp-(?:comments-post\.php|content/(?:plugins|themes)/)`,
      check(['args'], MARKUP)`
        <(?:script|iframe|object|embed)\b
        <[a-z][^<>]{0,200}[\s"'/]on[a-z]{3,20} ?=
      `,
    ),
  },
  {
    ids: ['190391', '9aaa9d03250b537f0a1345b806c7dbd9', 'd9e5393a1f028d45538fe68a6cc843ba'],
    description: 'Let pass - Timed work that WordPress starts itself',
    tags: ['wordpress'],
    mode: 'off',
    detection: every(
      check(URI, AS_SENT)`^/wp-cron\.php\?doing_wp_cron=[0-9.]+$`,
      check(['user-agent'], AS_SENT)`^WordPress/`,
    ),
  },
])
