// The connection that the request came over: server, TLS, client certificate, timings.
import { BOOL, BYTES, INT, IP } from '../types.ts'
import { type CatalogField, computed, configured, unavailable } from './catalog-field.ts'
import type { CertificateText } from './facts.ts'

const CERTIFICATE_TEXTS: readonly CertificateText[] = [
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
  computed('cf.edge.client_tcp', BOOL, ({ version }) => version !== 'HTTP/3'),
  computed('cf.edge.server_ip', IP, ({ server }) => server?.ip),
  computed('cf.edge.server_port', INT, ({ server }) => server?.port),
  configured('cf.hostname.metadata', BYTES, 'hostname-metadata', ({ hostnameMetadata }) => hostnameMetadata),
  computed('cf.random_seed', BYTES, ({ randomSeed }) => randomSeed),
  computed('cf.ray_id', BYTES, ({ rayId }) => rayId),
  computed('cf.timings.client_tcp_rtt_msec', INT, ({ timings }) => timings?.clientRttMs),
  computed('cf.timings.edge_msec', INT, ({ timings }) => timings?.edgeMs),
  computed('cf.timings.origin_ttfb_msec', INT, ({ timings }) => timings?.originFirstByteMs),
  computed('cf.tls_cipher', BYTES, ({ tls }) => tls?.cipher),
  unavailable('cf.tls_ciphers_sha1', BYTES, NO_CLIENT_HELLO),
  ...CERTIFICATE_TEXTS.map((text) =>
    configured(`${CERTIFICATE}_${text}`, BYTES, 'client-certificates', ({ tls }) => tls?.client?.texts[text]),
  ),
  configured(
    `${CERTIFICATE}_presented`,
    BOOL,
    'client-certificates',
    ({ tls }) => tls?.client?.isPresented === true,
  ),
  configured(
    `${CERTIFICATE}_revoked`,
    BOOL,
    'client-certificates',
    ({ tls }) => tls?.client?.isRevoked === true,
  ),
  configured(
    `${CERTIFICATE}_verified`,
    BOOL,
    'client-certificates',
    ({ tls }) => tls?.client?.isVerified === true,
  ),
  unavailable('cf.tls_client_extensions_sha1', BYTES, NO_CLIENT_HELLO),
  unavailable('cf.tls_client_extensions_sha1_le', BYTES, NO_CLIENT_HELLO),
  unavailable('cf.tls_client_hello_length', INT, NO_CLIENT_HELLO),
  unavailable('cf.tls_client_random', BYTES, NO_CLIENT_HELLO),
  computed('cf.tls_version', BYTES, ({ tls }) => tls?.version),
  unavailable('cf.worker.upstream_zone', BYTES, 'there are no workers'),
]
