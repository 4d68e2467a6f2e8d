// The DS of a zone in each form that registrars ask for.
import type { WireDnssec } from '../../api/dnssec.ts'
import { algorithmName, dnssecStrings } from '../../strings/dnssec.ts'

export interface DsField {
  readonly label: string
  readonly value: string
  /** What is copied, if it is not what is shown. */
  readonly copied?: string
}

export interface DsForm {
  readonly title: string
  readonly fields: readonly DsField[]
}

const DIGEST_NAMES: Readonly<Record<string, string>> = { '1': '1 SHA-1', '2': '2 SHA-256', '4': '4 SHA-384' }

/** RFC 4034 §2.1.2: always 3. */
const PROTOCOL = '3'

/** Empty for a zone without keys. @param zone Name of the zone. */
export function dsForms(signing: WireDnssec, zone: string): DsForm[] {
  const { ds, key_tag: keyTag, algorithm, digest, digest_type: digestType, flags, public_key: key } = signing
  if (ds === null || algorithm === null || digest === null || digestType === null || key === null) return []
  const { forms } = dnssecStrings
  const numberField = (label: string, number: string, name: string): DsField => ({
    label,
    value: name,
    copied: number,
  })
  return [
    { title: dnssecStrings.asRecord, fields: [{ label: forms.record, value: ds }] },
    {
      title: dnssecStrings.asFields,
      fields: [
        { label: forms.keyTag, value: String(keyTag) },
        numberField(forms.algorithm, algorithm, algorithmName(algorithm)),
        numberField(forms.digestType, digestType, DIGEST_NAMES[digestType] ?? digestType),
        { label: forms.digest, value: digest },
      ],
    },
    {
      title: dnssecStrings.asKey,
      fields: [
        { label: forms.flags, value: String(flags) },
        { label: forms.protocol, value: PROTOCOL },
        numberField(forms.algorithm, algorithm, algorithmName(algorithm)),
        { label: forms.publicKey, value: key },
        { label: forms.dnskey, value: `${zone}. IN DNSKEY ${flags} ${PROTOCOL} ${algorithm} ${key}` },
      ],
    },
  ]
}
