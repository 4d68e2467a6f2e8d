// A value of a request with the name it was sent under.
import { type Bytes, decodeUtf8 } from '@zonereeve/expr'
import type { PartText } from './request-parts.ts'

const MAX_FIELD_NAME = 64

/** The field is written when a rule matches. */
export class NamedText implements PartText {
  readonly name: Bytes
  readonly text: Bytes
  readonly isOfBody: boolean
  private readonly kind: string

  constructor(kind: string, name: Bytes, text: Bytes, isOfBody: boolean) {
    this.kind = kind
    this.name = name
    this.text = text
    this.isOfBody = isOfBody
  }

  get field(): string {
    return fieldKey(this.kind, this.name)
  }

  withText(text: Bytes): NamedText {
    return new NamedText(this.kind, this.name, text, this.isOfBody)
  }
}

/** Nearly all names need no decoding and no escapes. */
const PLAIN_NAME = /^[\w.-]{1,64}$/
export const fieldKey = (field: string, key: Bytes): string =>
  PLAIN_NAME.test(key)
    ? `${field}["${key}"]`
    : `${field}[${JSON.stringify(decodeUtf8(key.slice(0, MAX_FIELD_NAME)))}]`
