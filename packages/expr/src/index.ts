// The filter language: parser, compiler, fields and functions.
export * from './ast.ts'
export {
  asciiLower,
  asciiUpper,
  type Bytes,
  decodeUtf8,
  fromOctets,
  toOctets,
  utf8,
  utf8Length,
} from './bytes.ts'
export * from './check.ts'
export { elementAt } from './checked-reads.ts'
export { compileIpSet } from './compile/predicate.ts'
export * from './compiler.ts'
export * from './context.ts'
export * from './errors.ts'
export * from './explain.ts'
export * from './fields/catalog-field.ts'
export * from './fields/facts.ts'
export { parseMultipart, type Part as MultipartPart } from './fields/multipart.ts'
export { type Pair, splitAt, splitQuery } from './fields/pairs.ts'
export * from './fields/registry.ts'
export { normaliseTarget } from './fields/uri.ts'
export { decodeBase64, encodeBase64 } from './functions/base64.ts'
export * from './functions/definition.ts'
export { FUNCTIONS, functionNamed } from './functions/registry.ts'
export { percentDecode } from './functions/url-decode.ts'
export * from './int.ts'
export * from './ip.ts'
export * from './limits.ts'
export * from './parser.ts'
export * from './partial.ts'
export { print } from './print.ts'
export { parseRegex, type Regex, type RegexMatch } from './regex.ts'
export type { Hir } from './regex/hir.ts'
export * from './scheme.ts'
export * from './types.ts'
export * from './usage.ts'
export * from './values.ts'
export * from './wildcard.ts'
