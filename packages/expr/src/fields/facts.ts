// What an evaluator knows about one request. Fields are computed from these facts when they are read.
import type { Bytes } from '../bytes.ts'
import type { ListLookup } from '../context.ts'
import type { Ip } from '../ip.ts'

/** A header line as received: the name keeps its case, the value has no surrounding whitespace. */
export type HeaderLine = readonly [name: Bytes, value: Bytes]

export type RequestFacts = {
  readonly method: Bytes
  /** `HTTP/1.1`, `HTTP/2`, … */
  readonly version: Bytes
  readonly isTls: boolean
  /** Host header or authority, with its port if there is one. */
  readonly host: Bytes
  /** Path and query as received, or as a rule has rewritten them; before any normalization. */
  readonly target: Bytes
  /** Path and query as received, for fields with `raw.`; default: `target`. */
  readonly rawTarget?: Bytes | undefined
  /** How fields without `raw.` show the path; default: `cloudflare`. */
  readonly normalization?: PathNormalization
  readonly headers: readonly HeaderLine[]
  readonly areHeadersTruncated?: boolean
  readonly body?: BodyFacts | undefined
  readonly clientIp: Ip
  readonly receivedAtMs: number
  readonly rayId?: Bytes
  /** Random bytes drawn for this request. */
  readonly randomSeed?: Bytes
  /** The server address that the client connected to. */
  readonly server?: { readonly ip?: Ip; readonly port: number }
  readonly tls?: TlsFacts
  readonly timings?: TimingFacts
  /** Where the client's address is; looked up when called. */
  readonly geo?: () => GeoFacts
  /** Whether that address belongs to a verified bot; looked up when called. */
  readonly isVerifiedBot?: () => boolean
  readonly hostnameMetadata?: Bytes
  readonly jwt?: readonly JwtFacts[]
  /** What is known of the user name and password that the request contains; checked when called. */
  readonly credentials?: () => CredentialFacts
  readonly zone?: { readonly name: Bytes; readonly plan: Bytes }
  /** The named lists that expressions can use. */
  readonly lists?: ListFacts
  readonly response?: ResponseFacts | undefined
}

/** `rfc3986` decodes and removes dot segments; `cloudflare` also unites slashes and turns backslashes into slashes. */
export type PathNormalization = 'cloudflare' | 'rfc3986' | 'none'

export type ListFacts = {
  readonly contains: ListLookup
  /** Where a list of redirects leads from a URL; undefined if it has no redirect for it. */
  readonly redirectOf: (name: string, url: Bytes) => ListedRedirect | undefined
}

export type ListedRedirect = { readonly location: Bytes; readonly statusCode: number }

export type BodyFacts = {
  /** The stored part of the body. */
  readonly bytes: Bytes
  readonly sizeBytes: number
  readonly isTruncated: boolean
}

export type TlsFacts = {
  /** `TLSv1.3` */
  readonly version: Bytes
  readonly cipher: Bytes
  readonly client?: ClientCertificateFacts
}

/** The content of a client certificate, and the result of its validation. Names as in the fields, dates as text. */
export type ClientCertificateFacts = {
  readonly isPresented: boolean
  readonly isVerified: boolean
  readonly isRevoked: boolean
  readonly strings: Readonly<Partial<Record<CertificateText, Bytes>>>
}

export type CertificateText =
  | 'fingerprint_sha1'
  | 'fingerprint_sha256'
  | 'issuer_dn'
  | 'issuer_dn_legacy'
  | 'issuer_dn_rfc2253'
  | 'issuer_serial'
  | 'issuer_ski'
  | 'not_after'
  | 'not_before'
  | 'serial'
  | 'ski'
  | 'subject_dn'
  | 'subject_dn_legacy'
  | 'subject_dn_rfc2253'

export type TimingFacts = {
  readonly clientRttMs?: number
  readonly edgeMs?: number
  readonly originFirstByteMs?: number
}

export type GeoFacts = {
  readonly asnum?: number
  readonly isInEuropeanUnion?: boolean
  readonly strings: Readonly<Partial<Record<GeoText, Bytes>>>
}

export type GeoText =
  | 'city'
  | 'continent'
  | 'country'
  | 'lat'
  | 'lon'
  | 'metro_code'
  | 'postal_code'
  | 'region'
  | 'region_code'
  | 'subdivision_1_iso_code'
  | 'subdivision_2_iso_code'
  | 'timezone.name'

/** The claims of a valid token, under the ID of its token configuration. */
export type JwtFacts = {
  readonly configurationId: Bytes
  readonly strings: Readonly<Partial<Record<'aud' | 'iss' | 'jti' | 'sub', readonly Bytes[]>>>
  readonly times: Readonly<Partial<Record<'exp' | 'iat' | 'nbf', number>>>
}

/** What is known of the credentials in a request. */
export type CredentialFacts = {
  readonly areFound: boolean
  readonly isPasswordLeaked: boolean
  /** Whether this user name was leaked with this password. */
  readonly isPairLeaked: boolean
  readonly areSimilar: boolean
}

export type ResponseFacts = {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  /** Before any changes by the proxy; default: `headers`. */
  readonly rawHeaders?: readonly HeaderLine[]
  readonly areHeadersTruncated?: boolean
  readonly errorCode?: number
  readonly errorType?: Bytes
}

/**
 * Computes a value of a request once, however many fields read it. Only the last request is remembered: requests are
 * evaluated one after the other, and a map with weak keys makes each garbage collection slower.
 */
export function oncePerRequest<T>(compute: (facts: RequestFacts) => T): (facts: RequestFacts) => T {
  let last: { readonly facts: RequestFacts; readonly result: T } | undefined
  return (facts) => {
    if (last?.facts !== facts) last = { facts, result: compute(facts) }
    return last.result
  }
}
