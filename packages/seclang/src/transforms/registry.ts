// The transformations by name.
import { type Bytes, foldCase } from '../bytes.ts'
import * as decode from './decode.ts'
import * as rewrite from './rewrite.ts'

export type Transform = (text: Bytes) => Bytes

const TRANSFORMS: Readonly<Record<string, Transform>> = {
  base64decode: decode.base64Decode,
  base64decodeext: decode.base64DecodeExt,
  cmdline: rewrite.cmdLine,
  compresswhitespace: rewrite.compressWhitespace,
  cssdecode: decode.cssDecode,
  escapeseqdecode: decode.escapeSeqDecode,
  hexdecode: decode.hexDecode,
  hexencode: rewrite.hexEncode,
  htmlentitydecode: decode.htmlEntityDecode,
  jsdecode: decode.jsDecode,
  length: (text) => String(text.length),
  lowercase: foldCase,
  normalizepath: rewrite.normalizePath,
  normalizepathwin: rewrite.normalizePathWin,
  removecomments: rewrite.removeComments,
  removecommentschar: rewrite.removeCommentsChar,
  removenulls: (text) => (text.includes('\0') ? text.replaceAll('\0', '') : text),
  removewhitespace: rewrite.removeWhitespace,
  replacecomments: rewrite.replaceComments,
  replacenulls: (text) => text.replaceAll('\0', ' '),
  sqlhexdecode: decode.sqlHexDecode,
  trim: (text) => rewrite.trimEnd(rewrite.trimStart(text)),
  trimleft: rewrite.trimStart,
  trimright: rewrite.trimEnd,
  uppercase: (text) => text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase()),
  urldecode: decode.urlDecode,
  urldecodeuni: decode.urlDecodeUni,
  urlencode: rewrite.urlEncode,
  utf8tounicode: decode.utf8ToUnicode,
}

/** The transformation of a name in lower case; undefined if it is not known (`md5` and `sha1` are not). */
export const transformNamed = (name: string): Transform | undefined =>
  Object.hasOwn(TRANSFORMS, name) ? TRANSFORMS[name] : undefined
