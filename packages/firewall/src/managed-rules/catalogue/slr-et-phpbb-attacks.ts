// OWASP Slr Et PhpBB Attacks: weak parameters of phpBB.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { SQL_START, ANY_SQL, UPWARDS } from './known-parameters.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH, PATH, SQL } from './views.ts'

export const SLR_ET_PHPBB_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.slrEtPhpbbAttacks, tags: [] }, [
  {
    ids: ['1900621', 'd5202331925dc246517850cf989fbebe', '951c49c65735c7529d83e21268b09a5f'],
    description: 'phpBB - Remote file in the root path',
    weight: { level: 1, score: 5 },
    tags: ['phpbb', 'rfi'],
    detection: pattern(
      ['arg:phpbb_root_path', 'arg:phpbb_root_dir', 'arg:root_path', 'arg:phpbb_path'],
      FILE_PATH,
    )`
      ^(?:https?|ftps?|php|data):
      ${UPWARDS}
    `,
  },
  {
    ids: ['1900622', '960fe79a87fef47a051599a61cec354d', '1cbc799952817c8e4cb988194d0a0cd9'],
    description: 'phpBB - Code in the words to highlight',
    weight: { level: 1, score: 5 },
    tags: ['phpbb', 'rce'],
    detection: pattern(['arg:highlight', 'arg:hilit'], ['url-decode', 'url-decode', 'lower-case'])`
      ['"]?\.? ?(?:system|passthru|exec|eval|fwrite|fopen|include|phpinfo|chr|shell_exec|assert) ?\(
    `,
  },
  {
    ids: ['1900623', 'e7da47a2678da3fa14252abe45064d89', '01dd0d35e19c57b82d8a03605a194ed4'],
    description: 'phpBB - SQL in the number of a forum, a topic or a post',
    weight: { level: 1, score: 5 },
    tags: ['phpbb', 'sqli'],
    detection: every(
      check(PATH, FILE_PATH)`
        /(?:viewtopic|viewforum|posting|memberlist|search|ucp|mcp|profile|privmsg|login)\.php$
      `,
      check(
        [
          'arg:f',
          'arg:t',
          'arg:p',
          'arg:u',
          'arg:topic_id',
          'arg:forum_id',
          'arg:cat_id',
          'arg:mode',
          'arg:search_id',
        ],
        SQL,
      )`
        ${SQL_START}
        ${ANY_SQL}
      `,
    ),
  },
])
