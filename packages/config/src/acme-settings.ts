// Settings of the certificate that the server gets itself.
import { parseCertificateNames } from '@zonereeve/certificates'
import { setting } from './setting.ts'

const optional = (text: string): string | undefined => (text === '' ? undefined : text)

export const ACME_SETTINGS = {
  acmeDirectory: setting({
    name: 'acme-directory',
    placeholder: 'url',
    description:
      'ACME directory of a certificate authority, from which the server gets its certificate by DNS-01 in its own zones; instead of --tls-certificate',
    default: '',
    parse: optional,
  }),
  acmeEmail: setting({
    name: 'acme-email',
    placeholder: 'address',
    description: 'address for the account at the certificate authority; default: none',
    default: '',
    parse: optional,
  }),
  acmeTerms: setting({
    name: 'acme-terms',
    placeholder: 'agreed',
    description: 'agreed, if you agree to the terms of service of the certificate authority; needed',
    default: '',
    parse: optional,
  }),
  acmeNames: setting({
    name: 'acme-names',
    placeholder: 'names',
    description:
      'names in the certificate, separated by commas, each in a zone of this server; default: the host of public-url',
    default: '',
    parse: (text) => (text === '' ? undefined : parseCertificateNames(text)),
  }),
  acmeCa: setting({
    name: 'acme-ca',
    placeholder: 'file',
    description: 'certificates (PEM) behind the directory itself, if the system does not trust them',
    default: '',
    parse: optional,
  }),
} as const
