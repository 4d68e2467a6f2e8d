// The case tables of all record types.
import { aCases } from './a.cases.ts'
import { aaaaCases } from './aaaa.cases.ts'
import { caaCases } from './caa.cases.ts'
import type { ApiCases } from './cases.ts'
import { certCases, openpgpkeyCases, smimeaCases, sshfpCases, tlsaCases } from './certificate-types.cases.ts'
import { cnameCases } from './cname.cases.ts'
import { dnskeyCases, dsCases } from './dnssec-types.cases.ts'
import { locCases } from './loc.cases.ts'
import { mxCases } from './mx.cases.ts'
import { naptrCases } from './naptr.cases.ts'
import { nsCases } from './ns.cases.ts'
import { ptrCases } from './ptr.cases.ts'
import type { ListedTypeName } from './registry.ts'
import { srvCases } from './srv.cases.ts'
import { httpsCases, svcbCases } from './svcb.cases.ts'
import { txtCases } from './txt.cases.ts'
import { uriCases } from './uri.cases.ts'

/** The case table of every type with a mnemonic. A type without a table does not compile. */
export const CASES: Readonly<Record<ListedTypeName, ApiCases>> = {
  A: aCases,
  AAAA: aaaaCases,
  CAA: caaCases,
  CERT: certCases,
  CNAME: cnameCases,
  DNSKEY: dnskeyCases,
  DS: dsCases,
  HTTPS: httpsCases,
  LOC: locCases,
  MX: mxCases,
  NAPTR: naptrCases,
  NS: nsCases,
  OPENPGPKEY: openpgpkeyCases,
  PTR: ptrCases,
  SMIMEA: smimeaCases,
  SRV: srvCases,
  SSHFP: sshfpCases,
  SVCB: svcbCases,
  TLSA: tlsaCases,
  TXT: txtCases,
  URI: uriCases,
}
