// The functions of the language, sorted by name. `any` and `all` are grammar, not functions.
import { endsWith, startsWith } from './affix.ts'
import { decodeBase64Function, encodeBase64Function } from './base64.ts'
import { bitSlice } from './bit-slice.ts'
import { lower, upper } from './case.ts'
import { cidr, cidr6 } from './cidr.ts'
import { concat } from './concat.ts'
import { hasKey, hasValue, len } from './containers.ts'
import type { FunctionDefinition } from './definition.ts'
import { lookupJsonInteger, lookupJsonString } from './json.ts'
import { isJwtPresent, isJwtValid } from './jwt.ts'
import { regexReplace } from './regex-replace.ts'
import { sha256Function } from './sha256.ts'
import { join, removeBytes, removeQueryArgs, split, substring, toStringFunction } from './text.ts'
import { isTimedHmacValidV0 } from './timed-hmac.ts'
import { urlDecode } from './url-decode.ts'
import { uuidv4 } from './uuid.ts'
import { wildcardReplace } from './wildcard-replace.ts'

export const FUNCTIONS: readonly FunctionDefinition[] = [
  bitSlice,
  cidr,
  cidr6,
  concat,
  decodeBase64Function,
  encodeBase64Function,
  endsWith,
  hasKey,
  hasValue,
  isJwtPresent,
  isJwtValid,
  isTimedHmacValidV0,
  join,
  len,
  lookupJsonInteger,
  lookupJsonString,
  lower,
  regexReplace,
  removeBytes,
  removeQueryArgs,
  sha256Function,
  split,
  startsWith,
  substring,
  toStringFunction,
  upper,
  urlDecode,
  uuidv4,
  wildcardReplace,
]

/** The function of that name. @throws Error: there is none */
export function functionNamed(name: string): FunctionDefinition {
  const found = FUNCTIONS.find((definition) => definition.name === name)
  if (found === undefined) throw new Error(`no function ${name}`)
  return found
}
