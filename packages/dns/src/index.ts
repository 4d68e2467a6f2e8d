// Pure DNS: names, record types, wire codec, presentation text. Runs anywhere, imports nothing.

export { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.ts'
export { CLASS, META_TYPE, OPCODE, RCODE, rcodeText } from './codes.ts'
export type { Edns, EdnsOption } from './edns.ts'
export { NameError, TextError, WireError } from './errors.ts'
export type { NameRule, WireRule } from './errors.ts'
export { isHostLabel, isHostname } from './hostname.ts'
export type { HostnameOptions } from './hostname.ts'
export { decodeMessage, encodeMessage } from './message.ts'
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
export type { Cname } from './rdata/cname.ts'
export { defineRecordType, readRdata, writeRdata } from './rdata/define.ts'
export type { Field, Issue, RecordType, RecordTypeSpec, Rule, RuleText } from './rdata/define.ts'
export type { Hinfo } from './rdata/hinfo.ts'
export type { Mx } from './rdata/mx.ts'
export type { Ns } from './rdata/ns.ts'
export type { Ptr } from './rdata/ptr.ts'
export { isTypeName, RECORD_TYPES, recordTypeByCode, recordTypeByName } from './rdata/registry.ts'
export type { AnyRecordType, Rdata, TypeName } from './rdata/registry.ts'
export type { Soa } from './rdata/soa.ts'
export type { Srv } from './rdata/srv.ts'
export type { Txt } from './rdata/txt.ts'
export {
  canonicalRdata,
  decodeRdata,
  encodeRdata,
  genericRdata,
  genericText,
  isGeneric,
  rdataFromText,
  rdataTextByCode,
  rdataToText,
} from './rdata.ts'
export { nextSerial, serialAfter } from './serial.ts'
export { MAX_STRING_OCTETS, splitTxt, txtFromText, txtToText } from './txt-content.ts'
export { typeCode, typeText } from './type-code.ts'
export { MAX_MESSAGE_OCTETS, Reader, Writer } from './wire.ts'
