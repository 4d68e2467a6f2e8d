// OPENPGPKEY: the public key of a mail user.

import { defineRecordType } from './define.ts'
import { base64Rest } from './octet-fields.ts'

/** A transferable public key (RFC 7929 §2.1, RFC 4880 §11.1). */
export interface Openpgpkey {
  /** OpenPGP packets in binary form, without ASCII armor. */
  readonly key: Uint8Array
}

/**
 * Whether the packets are a key is not checked: RFC 7929 §2.1 leaves that to readers, and there are many old formats.
 */
export const openpgpkey = defineRecordType<Openpgpkey>({
  type: 'OPENPGPKEY',
  code: 61,
  refs: ['RFC 7929 §2'],
  fields: { key: base64Rest },
  rules: [
    {
      rule: 'openpgpkey.armour',
      field: 'key',
      source: 'RFC 7929 §2.3',
      message: 'must be the binary key, without ASCII armor',
      broken: (d) => ARMOUR.every((octet, at) => d.key[at] === octet),
    },
  ],
})

/** "-----BEGIN". */
const ARMOUR = [0x2d, 0x2d, 0x2d, 0x2d, 0x2d, 0x42, 0x45, 0x47, 0x49, 0x4e]
