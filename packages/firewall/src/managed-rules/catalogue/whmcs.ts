// Cloudflare Whmcs: attacks on WHMCS.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { FILE_PATH, LOWER, PATH, SQL, TEXT } from './views.ts'

const PAGES = String.raw`/(?:clientarea|viewticket|submitticket|supporttickets|cart|register|domainchecker|dl|announcements|knowledgebase|viewinvoice|creditcard|pwreset|dologin|contact|networkissues|affiliates|admin/[a-z]+)\.php$`

export const WHMCS = traditionalGroup(CLOUDFLARE_GROUP_IDS.whmcs, [
  {
    ids: ['190901', '70b9e9f7311d766dd4fc5157c773abc0', '9771caaabb7e6ddd7a4ff02926a3a05d'],
    description: 'WHMCS - Text of the database encryption in a field',
    tags: ['whmcs', 'sqli'],
    mode: 'block',
    detection: pattern(['args', 'arg-names'], TEXT)`\baes_encrypt ?\([^()]{1,40}\) ?, ?[a-z_]{1,32} ?=`,
  },
  {
    ids: ['190902', '7a29ebd53b985ae13fd72225797bf79e', '56ef0894d48ef9aa46d11c7a4827193a'],
    description: 'WHMCS - SQL in the fields of the client area',
    tags: ['whmcs', 'sqli'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`${PAGES}`,
      check(['args', 'arg-names'], SQL)`
        (?:^|['")\d])[ )]*union(?: all)? select\b.{0,80}(?:,|\bfrom\b|--|#)
        ['")\d][ )]+(?:or|and)[ (]+(?:\d+ ?= ?\d+|select\b|sleep ?\()
        \bfrom +tbl(?:admins|clients|configuration|users)\b
      `,
    ),
  },
  {
    ids: ['190903', 'a355caf67bb2743cc39548dc076d8949', 'f836fe6a389e7ba33c6c8a71d3d15f0d'],
    description: 'WHMCS - Template tags in a ticket or a name',
    tags: ['whmcs', 'template-injection', 'rce'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`${PAGES}`,
      check(['args'], TEXT)`
        \{ ?/?(?:php|literal|include_php|eval|fetch)\b[^}]{0,80}\}
        \{ ?\$smarty\.(?:template|version|const|server|get|post)
        \{ ?self::
      `,
    ),
  },
  {
    ids: ['190904', '0e9ba6f7f1658f2d124d864dc68fb368', 'f60dcec73246a1fdb81d43c35ef362b1'],
    description: 'WHMCS - Template or language that is a file elsewhere',
    tags: ['whmcs', 'file-inclusion'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`\.php$`,
      check(
        ['arg:systpl', 'arg:carttpl', 'arg:language', 'arg:templatefile', 'arg:gateway', 'arg:modop'],
        FILE_PATH,
      )`
        \.\./
        ^(?:https?|php|data|ftp):
      `,
    ),
  },
  {
    ids: ['190905', '0176327b25816ef24287095b4b16da1b', '92c573892ccd0e1295aebf739c21b3c2'],
    description: 'WHMCS - Attachment of a ticket that the server would run',
    tags: ['whmcs', 'file-upload', 'rce'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`${PAGES}`,
      check(['filenames'], LOWER)`\.(?:php[0-9s]?|phtml|phar|pht|htaccess|cgi|pl)(?:\.|$)`,
    ),
  },
])
