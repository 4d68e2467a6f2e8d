// OWASP Slr Et WordPress Attacks: weak parameters of WordPress plugins and themes.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { ANY_SQL, UPWARDS, SYSTEM_FILE, SCRIPT } from './known-parameters.ts'
import { check, every, owaspGroup } from './rule-draft.ts'
import { FILE_PATH, MARKUP, PATH, SQL } from './views.ts'

export const SLR_ET_WORDPRESS_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.slrEtWordpressAttacks, tags: [] }, [
  {
    ids: ['1900641', 'b55ad84499918dd2b00fa932a0705bcf', 'ede3b88441c4b0627e5835eadb070403'],
    description: 'WordPress - SQL in the parameters of a plugin',
    weight: { level: 1, score: 5 },
    tags: ['wordpress', 'sqli'],
    detection: every(
      check(PATH, FILE_PATH)`/wp-(?:content/plugins|admin|json)/`,
      check(['args'], SQL)`
        ${ANY_SQL}
        ^-?\d+['")]*[ ]+(?:and|or|union|order by)\b
      `,
    ),
  },
  {
    ids: ['1900642', '39eee8cfe8920bfb1e3e078b80b0f3fa', 'ebe665c0b7fa74347f962ad101bb4093'],
    description: 'WordPress - Step out of a directory in the parameters of a plugin or a theme',
    weight: { level: 1, score: 5 },
    tags: ['wordpress', 'file-inclusion'],
    detection: every(
      check(PATH, FILE_PATH)`/wp-(?:content|admin|includes)/`,
      check(['args'], FILE_PATH)`
        ${UPWARDS}
        ${SYSTEM_FILE}
        wp-config\.php
      `,
    ),
  },
  {
    ids: ['1900643', '72e71a4de4b0f863f378b4724302be44', '4c67b8d48ac32492f659d5343f0780e9'],
    description: 'WordPress - Remote file in the parameters of a plugin',
    weight: { level: 1, score: 5 },
    tags: ['wordpress', 'rfi'],
    detection: every(
      check(PATH, FILE_PATH)`/wp-content/(?:plugins|themes)/[^?]{1,200}\.php$`,
      check(
        [
          'arg:src',
          'arg:url',
          'arg:wp_abspath',
          'arg:abspath',
          'arg:wpconfig',
          'arg:path',
          'arg:file',
          'arg:img',
          'arg:page',
          'arg:dl',
          'arg:wppath',
        ],
        FILE_PATH,
      )`
        ^(?:https?|ftps?|php|data|expect):
      `,
    ),
  },
  {
    ids: ['1900644', '534432bdd8a0ae99c482c48d7b46e3db', '9b7d89f087ce2d432c852f60fab2e36c'],
    description: 'WordPress - Script in the parameters of a plugin',
    weight: { level: 1, score: 4 },
    tags: ['wordpress', 'xss'],
    detection: every(
      check(PATH, FILE_PATH)`/wp-content/(?:plugins|themes)/`,
      check(['args'], MARKUP)`${SCRIPT}`,
    ),
  },
  {
    ids: ['1900645', '85bc7745682b971caba14eb66d65a246', '59d4dbb27effa0fb8abe9da8ec715204'],
    description: 'WordPress - List of users by number',
    weight: { level: 3, score: 2 },
    tags: ['wordpress', 'information-disclosure'],
    detection: every(
      check(PATH, FILE_PATH)`
        ^/(?:index\.php)?$
        /wp-json/wp/v2/users
      `,
      check(['uri'], FILE_PATH)`
        [?&]author=\d+
        /wp/v2/users
      `,
    ),
  },
])
