// The transformations of the language by name.
import type { Transform } from '../transaction/transform-chains.ts'
// The transformations by name.
import { foldCase, percentDecode } from '../bytes.ts'
import * as decode from './decode.ts'
import * as rewrite from './rewrite.ts'

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const WHITESPACE = ' \t\n\v\f\r\u00a0'

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  base64decode: { apply: decode.base64Decode, changes: undefined },
  base64decodeext: { apply: decode.base64DecodeExt, changes: undefined },
  cmdline: { apply: rewrite.cmdLine, changes: `\\"'^,;${WHITESPACE}${UPPER}`, extraUnits: 2 },
  compresswhitespace: { apply: rewrite.compressWhitespace, changes: '', changesRuns: true },
  cssdecode: { apply: decode.cssDecode, changes: '\\', extraUnits: 6 },
  escapeseqdecode: { apply: decode.escapeSeqDecode, changes: '\\', extraUnits: 6 },
  hexdecode: { apply: decode.hexDecode, changes: undefined },
  hexencode: { apply: rewrite.hexEncode, changes: undefined },
  htmlentitydecode: { apply: decode.htmlEntityDecode, changes: '&', extraUnits: 2 },
  jsdecode: { apply: decode.jsDecode, changes: '\\', extraUnits: 6 },
  length: { apply: (text) => String(text.length), changes: undefined },
  lowercase: { apply: foldCase, changes: UPPER, isFolding: true, adds: '' },
  normalizepath: { apply: rewrite.normalizePath, changes: './', extraUnits: 2 },
  normalizepathwin: { apply: rewrite.normalizePathWin, changes: './\\', extraUnits: 2 },
  removecomments: { apply: rewrite.removeComments, changes: undefined },
  removecommentschar: { apply: rewrite.removeCommentsChar, changes: '/*<-#' },
  removenulls: { apply: (text) => (text.includes('\0') ? text.replaceAll('\0', '') : text), changes: '\0' },
  removewhitespace: { apply: rewrite.removeWhitespace, changes: WHITESPACE },
  replacecomments: { apply: rewrite.replaceComments, changes: '*' },
  replacenulls: { apply: (text) => text.replaceAll('\0', ' '), changes: '\0' },
  sqlhexdecode: { apply: decode.sqlHexDecode, changes: undefined },
  trim: { apply: (text) => rewrite.trimEnd(rewrite.trimStart(text)), changes: WHITESPACE },
  trimleft: { apply: rewrite.trimStart, changes: WHITESPACE },
  trimright: { apply: rewrite.trimEnd, changes: WHITESPACE },
  uppercase: {
    apply: (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
    changes: undefined,
  },
  urldecode: { apply: percentDecode, changes: '%+' },
  urldecodeuni: { apply: decode.urlDecodeUni, changes: '%+', extraUnits: 1 },
  urlencode: { apply: rewrite.urlEncode, changes: undefined },
  utf8tounicode: { apply: decode.utf8ToUnicode, changes: '\u00ff' },
}

/** The transformation of a name in lower case; undefined if it is not known (`md5` and `sha1` are not). */
export const transformNamed = (name: string): Transform | undefined =>
  Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined
