// Cloudflare Flash: code passed to Flash files, and cross-domain policies.
import { CLOUDFLARE_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { check, every, pattern, traditionalGroup } from './rule-draft.ts'
import { AS_SENT, ATTRIBUTE, FILE_PATH, LOWER, MARKUP, PATH } from './views.ts'

export const FLASH = traditionalGroup(CLOUDFLARE_GROUP_IDS.flash, [
  {
    ids: ['190701', '16b5dd1d61d02badaa3db0901e82aacd', '79bb3f1ce92f59723632965129f6d436'],
    description: 'Flash - Script in the variables of a Flash file',
    tags: ['flash', 'xss'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`\.swf(?:/|$)`,
      check(['args', 'arg-names'], ATTRIBUTE)`
        javascript:
        vbscript:
        asfunction:
        externalinterface
        (?:alert|eval|confirm|prompt)\(
        <script
      `,
    ),
  },
  {
    ids: ['190702', '631eee91dd824ea004c755c0b2101ffc', '41ece28ba252598133b58df88c162f71'],
    description: 'Flash - Call that goes on as a script',
    tags: ['flash', 'xss'],
    mode: 'block',
    detection: every(
      check(PATH, FILE_PATH)`
        (?:swfupload|zeroclipboard|plupload\.flash|jplayer|video-js|uploadify|flowplayer|moxieplayer)[\w.-]{0,20}\.swf
      `,
      check(['query'], MARKUP)`
        ["'\\][)\]};]
        \}catch\(
        \)\)\}
      `,
    ),
  },
  {
    ids: ['190703', 'ccfe2e9c6ad6aac46cd9fb12bfae115f', '651fffa1dd0114dc39405824faeec20b'],
    description: 'Flash - Content of another site loaded into a Flash file',
    tags: ['flash', 'rfi'],
    mode: 'challenge',
    detection: every(
      check(PATH, FILE_PATH)`\.swf(?:/|$)`,
      check(['args'], LOWER)`^(?:https?:)?//[^/]{3,100}/[^?]{0,200}\.(?:swf|xml|as)\b`,
    ),
  },
  {
    ids: ['190704', '3047d19fcfaa763623bd8678c1b5d32e', '74f9222a79d7b7e55ab05bc346d0dcbe'],
    description: 'Flash - Flash file sent as a picture or as a function to call back',
    tags: ['flash', 'file-upload'],
    mode: 'simulate',
    detection: pattern(['files', 'arg:callback', 'arg:jsonp', 'arg:cb'], AS_SENT)`
      ^[CFZ]WS[\x01-\x40a-zA-Z0-9]{5}
    `,
  },
])
