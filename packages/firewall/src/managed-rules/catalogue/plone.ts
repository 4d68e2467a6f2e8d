// Cloudflare Plone: attacks on Plone and on Zope below it.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { FILE_PATH, MARKUP, PATH, TEXT, URI } from './views.ts'

export const PLONE = traditionalGroup(CLOUDFLARE_GROUP_IDS.plone, [
  {
    ids: ['190801', '0992453bf7ac23a11d476cf6127cc30a', 'a3a5cee8e2c2bc2fac521a6a0c0ded61'],
    description: 'Plone - Modules of Python reached by a path - CVE-2011-3587',
    tags: ['plone', 'rce', 'cve-2011-3587'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /p_/webdav/xmltools/minidom/
      /(?:misc_|p_)/.{0,80}/(?:os|sys|subprocess|popen2)(?:/|$)
    `,
  },
  {
    ids: ['190802', '4bd3b303d471c5d63cf8da871fc60ad6', '8b50974fad4b39fbe8070daa517527b5'],
    description: 'Plone - Management of Zope asked to run or to import',
    tags: ['plone', 'broken-access-control'],
    mode: 'challenge',
    detection: pattern(URI, FILE_PATH)`
      /manage_(?:importobject|exportobject|addproduct|main|undo_transactions|delobjects|adduser|role|access|restart|shutdown)
      /(?:acl_users|control_panel)/manage_
    `,
  },
  {
    ids: ['190803', '344a63dc9235b22fcb2eccbcdf7d7d06', '1693290180b764b7d914470424608e71'],
    description: 'Plone - Methods of documents that outsiders must not call',
    tags: ['plone', 'broken-access-control'],
    mode: 'block',
    detection: pattern(PATH, FILE_PATH)`
      /(?:__(?:globals|builtins|class|subclasses|dict|code|mro|bases|import)__|im_func|func_(?:globals|code))(?:/|$)
      /(?:go_back|kssvalidate|getquerystring|querycatalog|createobject|spamprotect|formatcolumns)\?.{0,200}(?:os\.|__|python:)
      /atat|@@(?:updatedisplay|gsm|plone-upgrade)$
    `,
  },
  {
    ids: ['190804', 'a8b098310e14ca5fda486670343f5ce3', 'a74817c8035a247e9eeefc827e2082cc'],
    description: 'Plone - Template expression of Python in a parameter',
    tags: ['plone', 'template-injection', 'rce'],
    mode: 'block',
    detection: pattern(['args'], TEXT)`
      ^python:[^\s]{1,200}(?:\(|__|\.os\b|modules\[)
      <dtml-(?:var|in|call|let|with|sqlvar) +[^>\s]
      tal:(?:content|replace|define|condition) ?= ?["'](?:python:[^"']{0,200}(?:\(|__|modules\[)|structure|modules)
    `,
  },
  {
    ids: ['190805', 'f1ee09c24ec0382789700fe445996d95', 'e4e1ea7c3e52e2da4cbbb802e1ea6523'],
    description: 'Plone - Script in the search or in the message of the portal',
    tags: ['plone', 'xss'],
    mode: 'block',
    detection: every(
      check(URI, FILE_PATH)`searchabletext|portal_status_message|came_from|/@@search|/search_form`,
      check(['args'], MARKUP)`
        <(?:script|svg|img|iframe|body|object)\b
        javascript:
      `,
    ),
  },
])
