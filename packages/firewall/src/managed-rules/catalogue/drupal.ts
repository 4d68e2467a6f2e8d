// Cloudflare Drupal: attacks on Drupal's own code.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { AS_SENT, FILE_PATH, LOWER, PATH, SQL, TEXT } from './views.ts'

export const DRUPAL = traditionalGroup(CLOUDFLARE_GROUP_IDS.drupal, [
  {
    ids: ['190101', '3c186a1ab604f59bd2f0ed861c2f6df9', '8f959b3158ac88d79c3d261486e61b30'],
    description: 'Drupal - Render array in a parameter name - CVE-2018-7600',
    tags: ['drupal', 'rce', 'cve-2018-7600'],
    mode: 'block',
    detection: pattern(['arg-names', 'cookie-names'], TEXT)`
      [\[/]#(?:post_render|pre_render|lazy_builder|access_callback|markup|submit|validate|process|type|value_callback|element_validate)
    `,
  },
  {
    ids: ['190102', 'a8a055f395c4589acc5283e87fd5182a', '8a817101b330f5ddbccc528a2e02a436'],
    description: 'Drupal - Form element chosen by the client in an AJAX request - CVE-2018-7600',
    tags: ['drupal', 'rce', 'cve-2018-7600'],
    mode: 'block',
    detection: pattern(['arg:element_parents'], TEXT)`#(?:value|post_render|markup|lazy_builder)`,
  },
  {
    ids: ['190103', 'c67acfe2d9ec988cfe036c63d69304d0', '12aabac0dffce3f114baea530f57632d'],
    description: 'Drupal - Destination parameter with a render array - CVE-2018-7602',
    tags: ['drupal', 'rce', 'cve-2018-7602'],
    mode: 'block',
    detection: pattern(['arg:destination'], TEXT)`\?.*\[#[a-z_]*\]`,
  },
  {
    ids: ['190104', '5918412534b20e867e55125666665c88', '6308b5e1b58f0a549c662b24a40551cc'],
    description: 'Drupal - SQL in the keys of a login array - CVE-2014-3704',
    tags: ['drupal', 'sqli', 'cve-2014-3704'],
    mode: 'block',
    detection: pattern(['arg-names'], SQL)`
      \[[^\]]{0,80}(?:;| union )[^\]]{0,200}(?:select|insert|update|delete|drop|truncate)\b
    `,
  },
  {
    ids: ['190105', '8b35ed77045093695ceb4d307aa9869f', '4022c21dac9db80c4d958bbefca02a36'],
    description: 'Drupal - Serialised options in a REST link field - CVE-2019-6340',
    tags: ['drupal', 'deserialization', 'rce', 'cve-2019-6340'],
    mode: 'block',
    detection: every(
      check(['uri', 'content-type'], LOWER)`
        _format=hal_json
        application/hal\+json
      `,
      check(['args'], AS_SENT)`[oOcC]:\+?\d+:\\?"`,
    ),
  },
  {
    ids: ['190106', 'fa0dbfd8767b6bd30c1835def25892ba', '6387e9cff3eddf435501273149ca2de6'],
    description: 'Drupal - Settings, scripts and text files that tell the version',
    tags: ['drupal', 'information-disclosure'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /sites/[^/]+/(?:settings(?:\.local)?\.php[.~]|files/(?:backup_migrate|private)/)|/core/install\.php\?profile=
    `,
  },
])
