// OWASP Uri XSS Attacks: the same signs in the request target, which contains no markup.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { owaspGroup, pattern } from './rule-draft.ts'
import { ATTRIBUTE, URI, URI_MARKUP } from './views.ts'

export const URI_XSS_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.uriXssAttacks, tags: ['xss'] }, [
  {
    ids: ['1900501', 'd75da480ed6873c1704a9f58fdc183b9', '538045a65761840f9ad61f59db238bc4'],
    description: 'XSS in the URI - Script element',
    weight: { level: 1, score: 5 },
    detection: pattern(URI, URI_MARKUP)`<(?:[a-z]{1,8}:)?/?script\b`,
  },
  {
    ids: ['1900502', '76e6525fe508b71a684a891e8a2be4ba', '981a81b5d7594700a175a53b41f6d306'],
    description: 'XSS in the URI - Element with a handler of an event',
    weight: { level: 1, score: 5 },
    detection: pattern(URI, URI_MARKUP)`<[a-z!/][^<>]{0,300}[\s"'/\x60+]on[a-z]{3,25} ?=`,
  },
  {
    ids: ['1900503', '78e0b47cccfcb495380022c8d2f2e9d7', '539873432abf5202c9b102d4fbf0d60b'],
    description: 'XSS in the URI - Quote, then a handler of an event',
    weight: { level: 1, score: 5 },
    detection: pattern(URI, URI_MARKUP)`
      ["'\x60][\s/>]{0,8}on(?:error|load|click|focus|mouse[a-z]+|key[a-z]+|blur|toggle|begin|start|animation[a-z]+|pointer[a-z]+|wheel|input|change) ?=
    `,
  },
  {
    ids: ['1900504', '2bb9f822cc66ef752cd05b13c5cfe101', 'a0df8bb671ecc76065b8ccca49842c21'],
    description: 'XSS in the URI - Script scheme',
    weight: { level: 1, score: 5 },
    detection: pattern(URI, ATTRIBUTE)`
      (?:[=/"'(,;>]|^)(?:javascript|vbscript|livescript):
      =data:(?:text/(?:html|javascript)|image/svg\+xml)
    `,
  },
  {
    ids: ['1900505', '31d809800a0177c0fd84680eabd51af0', '2f74177228547727f634a2683d59437b'],
    description: 'XSS in the URI - Frame, object or vector image',
    weight: { level: 1, score: 5 },
    detection: pattern(URI, URI_MARKUP)`
      <(?:iframe|frame|object|embed|applet|svg|math|base|meta|link|style|template|video|audio|marquee|details|form|img|input|body)[\s/>]
    `,
  },
  {
    ids: ['1900506', 'b56c1e55de7793a452b0a5dc10123f33', '126d8382ab9b4cebde1ea88e5e1c5709'],
    description: 'XSS in the URI - Call of a function that shows or runs',
    weight: { level: 1, score: 5 },
    detection: pattern(URI, URI_MARKUP)`
      (?:alert|confirm|prompt|eval|settimeout|setinterval|print)(?:\(|\x60|%28)
      string\.fromcharcode
    `,
  },
  {
    ids: ['1900507', '8f202823e20d380a14c4949510b4fcd9', '1e486ceba0d54003b80dc1b377db49c6'],
    description: 'XSS in the URI - Members of the page',
    weight: { level: 1, score: 4 },
    detection: pattern(URI, URI_MARKUP)`
      document(?:\.|\[['"])(?:cookie|domain|write|location|body)
      window(?:\.|\[['"])(?:location|name|open|alert)
    `,
  },
  {
    ids: ['1900508', '1c68472f5eb99399746a879b9d8aabd7', '0ee5c7fb275966cc0d289ad27079cd1b'],
    description: 'XSS in the URI - End of an element or of a script, then another',
    weight: { level: 1, score: 4 },
    detection: pattern(URI, URI_MARKUP)`
      ["'\x60)]>[\s]{0,4}<[a-z/!]
      </(?:script|style|title|textarea|noscript|iframe|xmp)>
    `,
  },
  {
    ids: ['1900509', '82457c26282ac15f87eebcc5f9da656a', '64387ceb671444256d62f769dfe29530'],
    description: 'XSS in the URI - Any element',
    weight: { level: 2, score: 3 },
    detection: pattern(URI, URI_MARKUP)`<[a-z/!][a-z0-9:-]{0,24}[\s/>]`,
  },
  {
    ids: ['1900510', '46413121fe4c790bd4fb2117523ca4b9', '853f301ba4bf95557fdb7852b18bddd5'],
    description: 'XSS in the URI - Template of a page framework',
    weight: { level: 2, score: 3 },
    detection: pattern(URI, URI_MARKUP)`\{\{.{1,200}[(*=\[].{0,200}\}\}`,
  },
])
