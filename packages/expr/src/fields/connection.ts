// The connection that the request came over: server, TLS, client certificate, timings.
import { BOOL, BYTES, INT, IP } from '../types.ts'
import { type CatalogField, computedField, configuredField, unavailable } from './catalog-field.ts'
import type { CertificateText } from './facts.ts'

const CERTIFICATE_STRINGS: readonly CertificateText[] = [
  'fingerprint_sha1',
  'fingerprint_sha256',
  'issuer_dn',
  'issuer_dn_legacy',
  'issuer_dn_rfc2253',
  'issuer_serial',
  'issuer_ski',
  'not_after',
  'not_before',
  'serial',
  'ski',
  'subject_dn',
  'subject_dn_legacy',
  'subject_dn_rfc2253',
]

const CERTIFICATE = 'cf.tls_client_auth.cert'
const NO_CLIENT_HELLO = 'the first TLS message of the client is not kept'

export const CONNECTION_FIELDS: readonly CatalogField[] = [
  computedField('cf.edge.client_tcp', BOOL, ({ version }) => version !== 'HTTP/3'),
  computedField('cf.edge.server_ip', IP, ({ server }) => server?.ip),
  computedField('cf.edge.server_port', INT, ({ server }) => server?.port),
  configuredField(
    'cf.hostname.metadata',
    BYTES,
    'hostname-metadata',
    ({ hostnameMetadata }) => hostnameMetadata,
  ),
  computedField('cf.random_seed', BYTES, ({ randomSeed }) => randomSeed),
  computedField('cf.ray_id', BYTES, ({ rayId }) => rayId),
  computedField('cf.timings.client_tcp_rtt_msec', INT, ({ timings }) => timings?.clientRttMs),
  computedField('cf.timings.edge_msec', INT, ({ timings }) => timings?.edgeMs),
  computedField('cf.timings.origin_ttfb_msec', INT, ({ timings }) => timings?.originFirstByteMs),
  computedField('cf.tls_cipher', BYTES, ({ tls }) => tls?.cipher),
  unavailable('cf.tls_ciphers_sha1', BYTES, NO_CLIENT_HELLO),
  ...CERTIFICATE_STRINGS.map((text) =>
    configuredField(
      `${CERTIFICATE}_${text}`,
      BYTES,
      'client-certificates',
      ({ tls }) => tls?.client?.strings[text],
    ),
  ),
  configuredField(
    `${CERTIFICATE}_presented`,
    BOOL,
    'client-certificates',
    ({ tls }) => tls?.client?.isPresented === true,
  ),
  configuredField(
    `${CERTIFICATE}_revoked`,
    BOOL,
    'client-certificates',
    ({ tls }) => tls?.client?.isRevoked === true,
  ),
  configuredField(
    `${CERTIFICATE}_verified`,
    BOOL,
    'client-certificates',
    ({ tls }) => tls?.client?.isVerified === true,
  ),
  unavailable('cf.tls_client_extensions_sha1', BYTES, NO_CLIENT_HELLO),
  unavailable('cf.tls_client_extensions_sha1_le', BYTES, NO_CLIENT_HELLO),
  unavailable('cf.tls_client_hello_length', INT, NO_CLIENT_HELLO),
  unavailable('cf.tls_client_random', BYTES, NO_CLIENT_HELLO),
  computedField('cf.tls_version', BYTES, ({ tls }) => tls?.version),
  unavailable('cf.worker.upstream_zone', BYTES, 'there are no workers'),
]
