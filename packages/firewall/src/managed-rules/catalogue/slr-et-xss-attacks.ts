// OWASP Slr Et XSS Attacks: parameters that are displayed again and contain markup.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { SCRIPT, STRINGS, REDIRECTS } from './known-parameters.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH, MARKUP, PATH } from './views.ts'

export const SLR_ET_XSS_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.slrEtXssAttacks, tags: [] }, [
  {
    ids: ['1900651', 'f6a8211d631b6e24b0c6dc156038b029', '7cc0d45da1b010165093d31c1da30b1f'],
    description: 'Known parameter - Words to search for that are markup',
    weight: { level: 1, score: 5 },
    tags: ['xss', 'known-parameter'],
    detection: pattern(STRINGS, MARKUP)`${SCRIPT}`,
  },
  {
    ids: ['1900652', '79f861b45601926d5e331c768c13b8ba', '04594cb3ce05ec337fe3348e22b33eef'],
    description: 'Known parameter - Address to go to that is a script',
    weight: { level: 1, score: 5 },
    tags: ['xss', 'known-parameter'],
    detection: pattern(REDIRECTS, [
      'url-decode',
      'url-decode',
      'html-entities',
      'remove-nulls',
      'remove-whitespace',
      'lower-case',
    ])`
      ^["']?(?:javascript|vbscript|data):
    `,
  },
  {
    ids: ['1900653', '6d4569eee6eefb2e4173c8434147535c', '80a4a1efe4ee03fbe2adeec90b310a56'],
    description: 'Known parameter - Function to call back that is markup or code',
    weight: { level: 1, score: 4 },
    tags: ['xss', 'known-parameter'],
    detection: pattern(['arg:callback', 'arg:jsonp', 'arg:jsoncallback', 'arg:cb', 'arg:_callback'], MARKUP)`
      [<>'"(;]
    `,
  },
  {
    ids: ['1900654', 'a5b9f899e7ef080f6a8b0440862fa4e2', '9e133d6647b305c845e8a91d059f3896'],
    description: 'Known page - Script in a page that shows errors or the search again',
    weight: { level: 1, score: 4 },
    tags: ['xss', 'known-parameter'],
    detection: every(
      check(PATH, FILE_PATH)`
        /(?:search|find|results?|error|login|signin|register|contact|feedback|guestbook|comment|index|default|print|404)(?:\.[a-z]{2,5})?/?$
      `,
      check(['args'], MARKUP)`${SCRIPT}`,
    ),
  },
  {
    ids: ['1900655', '90294dbd75b99dff0eade6d650c458e9', '4d054b1d03a051d67bbb14bf6242550b'],
    description: 'Claimed page before this one - Script in its address',
    weight: { level: 1, score: 4 },
    tags: ['xss'],
    detection: pattern(['referer'], MARKUP)`
      <(?:script|svg|img|iframe)\b|["'][\s/>]*on[a-z]{3,20} ?=|javascript:
    `,
  },
])
