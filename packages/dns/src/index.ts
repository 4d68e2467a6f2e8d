// Pure DNS: names, record types, wire codec, presentation text. Runs anywhere, imports nothing.

export { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.ts'
export { base64FromOctets, octetsFromBase64 } from './base64.ts'
export { byteAt, elementAt, putUint16, uint16At } from './checked-reads.ts'
export { CLASS, DATA_TYPE, META_TYPE, OPCODE, RCODE, rcodeText, TSIG_ERROR } from './codes.ts'

export {
  base32Hex,
  nextHash,
  nextName,
  NSEC,
  NSEC3,
  nsec3Hash,
  nsec3Owner,
  NSEC3PARAM,
  nsec3ParamRdata,
  nsec3Rdata,
  nsecRdata,
  NXNAME,
  DEFAULT_NSEC3,
} from './dnssec/denial.ts'
export type { Nsec3Parameters } from './dnssec/denial.ts'
export { CDNSKEY_DELETE, CDS_DELETE, DIGEST_SHA256, dsOf } from './dnssec/ds.ts'
export type { Hash } from './dnssec/ds.ts'
export { signerText } from './dnssec/presentation.ts'
export { RRSIG, rrsigOctets, signRrset, writeRrsig } from './dnssec/rrsig.ts'
export type { RrsetToSign, SignatureWindow } from './dnssec/rrsig.ts'
export { isSignedByEntryPoint, signZone } from './dnssec/sign-zone.ts'
export type { PlainRecord, ZoneToSign } from './dnssec/sign-zone.ts'
export { dnskeyOf, KEY_FLAGS, keyTag, SIGNING_ALGORITHM } from './dnssec/signing-key.ts'
export type { SigningKey } from './dnssec/signing-key.ts'
export type { Edns, EdnsOption } from './edns.ts'
export { checkEmailTxt } from './email/check-email-txt.ts'
export type { EmailWarning } from './email/warning.ts'
export { NameError, TextError, WireError } from './errors.ts'
export type { NameRule, WireRule } from './errors.ts'
export { isHostLabel, isHostname } from './hostname.ts'
export type { HostnameOptions } from './hostname.ts'
export { decodeMessage, encodeMessage, plainMessage } from './message.ts'
export type { Header, Message, Question, ResourceRecord } from './message.ts'
export {
  compareNames,
  isAtOrBelow,
  isWildcard,
  joinName,
  labelsOf,
  parentOf,
  relativeName,
} from './name-tree.ts'
export {
  MAX_LABEL_OCTETS,
  MAX_NAME_OCTETS,
  nameFromWire,
  nameToWire,
  writeName,
  nameWireLength,
  parseName,
  ROOT,
} from './name.ts'
export type { Name } from './name.ts'
export { compareOctets, hexFromOctets, latin1FromOctets, octetsFromHex, octetsFromLatin1 } from './octets.ts'
export { readEntry, TokenReader } from './presentation.ts'
export type { Entry, Token } from './presentation.ts'
export type { A } from './rdata/a.ts'
export type { Aaaa } from './rdata/aaaa.ts'
export type { Caa } from './rdata/caa.ts'
export type { Cdnskey } from './rdata/cdnskey.ts'
export type { Cds } from './rdata/cds.ts'
export type { Cert } from './rdata/cert.ts'
export type { Cname } from './rdata/cname.ts'
export type { Dname } from './rdata/dname.ts'
export type { Dnskey } from './rdata/dnskey.ts'
export type { Ds } from './rdata/ds.ts'
export type { Hinfo } from './rdata/hinfo.ts'
export type { Https } from './rdata/https.ts'
export type { Loc } from './rdata/loc.ts'
export { angleParts } from './rdata/loc-text.ts'
export type { Mx } from './rdata/mx.ts'
export type { Naptr } from './rdata/naptr.ts'
export type { Ns } from './rdata/ns.ts'
export type { Openpgpkey } from './rdata/openpgpkey.ts'
export type { Ptr } from './rdata/ptr.ts'
export type { Rp } from './rdata/rp.ts'
export type { Smimea } from './rdata/smimea.ts'
export type { Soa } from './rdata/soa.ts'
export type { Srv } from './rdata/srv.ts'
export type { Sshfp } from './rdata/sshfp.ts'
export type { SvcParam } from './rdata/svc-params.ts'
export type { Svcb } from './rdata/svcb.ts'
export type { Tlsa } from './rdata/tlsa.ts'
export type { Txt } from './rdata/txt.ts'
export type { Uri } from './rdata/uri.ts'
export { defineRecordType, readRdata, writeRdata } from './rdata/define.ts'
export type { Field, Issue, RecordType, RecordTypeSpec, Rule, RuleText } from './rdata/define.ts'
export { isTypeName, RECORD_TYPES, recordTypeByCode, recordTypeByName } from './rdata/registry.ts'
export type { AnyRecordType, Rdata, TypeName } from './rdata/registry.ts'
export {
  canonicalRdata,
  decodeRdata,
  encodeRdata,
  genericRdata,
  genericText,
  isGeneric,
  rdataFromText,
  rdataFromTextByCode,
  rdataFromTokens,
  rdataTextByCode,
  rdataToText,
} from './rdata.ts'
export { nextSerial, serialAfter } from './serial.ts'
export { MAX_STRING_OCTETS, splitTxt, txtFromText, txtToText } from './txt-content.ts'
export {
  checkTsig,
  createTsigSigner,
  createTsigVerifier,
  readTsig,
  signRefusal,
  TSIG_ALGORITHMS,
  tsigAlgorithm,
  tsigOctets,
} from './tsig.ts'
export type {
  Hmac,
  SignedMessage,
  Tsig,
  TsigAlgorithm,
  TsigCheck,
  TsigFault,
  TsigKey,
  TsigRefusal,
  TsigSigner,
  TsigVerifier,
} from './tsig.ts'
export { isDataType, requireTypeCode, typeCode, typeText } from './type-code.ts'
export { MAX_MESSAGE_OCTETS, Reader, Writer } from './wire.ts'
export { ZONEMD_HASH, ZONEMD_SIMPLE, zoneDigestOctets } from './zone-digest.ts'
export { attributesText, NO_ATTRIBUTES, readAttributes } from './zonefile/attributes.ts'
export type { RecordAttributes } from './zonefile/attributes.ts'
export { linesOf } from './zonefile/entry-text.ts'
export {
  createZoneReader,
  MAX_ENTRY_CHARACTERS,
  MAX_GENERATED_RECORDS,
  readZoneFile,
  readZoneItems,
} from './zonefile/read-zone-file.ts'
export type { ZoneFileOptions, ZoneFileRecord, ZoneReader } from './zonefile/read-zone-file.ts'
export { MAX_TTL_SECONDS, parseTtl } from './zonefile/ttl.ts'
export {
  compareSections,
  recordLine,
  sectionHead,
  writeZoneFile,
  zoneFileHeader,
} from './zonefile/write-zone-file.ts'
export type { ZoneFileHeader } from './zonefile/write-zone-file.ts'
export { ZoneFileError } from './zonefile/zone-file-error.ts'
