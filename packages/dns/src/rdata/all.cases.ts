// The cases of every record type. A type in the registry without cases does not compile.
import { aCases } from './a.cases.ts'
import { aaaaCases } from './aaaa.cases.ts'
import { caaCases } from './caa.cases.ts'
import { cdnskeyCases } from './cdnskey.cases.ts'
import { cdsCases } from './cds.cases.ts'
import { certCases } from './cert.cases.ts'
import { cnameCases } from './cname.cases.ts'
import { dnameCases } from './dname.cases.ts'
import { dnskeyCases } from './dnskey.cases.ts'
import { dsCases } from './ds.cases.ts'
import { hinfoCases } from './hinfo.cases.ts'
import { httpsCases } from './https.cases.ts'
import { locCases } from './loc.cases.ts'
import { mxCases } from './mx.cases.ts'
import { naptrCases } from './naptr.cases.ts'
import { nsCases } from './ns.cases.ts'
import { openpgpkeyCases } from './openpgpkey.cases.ts'
import { ptrCases } from './ptr.cases.ts'
import type { Rdata, TypeName } from './registry.ts'
import { rpCases } from './rp.cases.ts'
import { smimeaCases } from './smimea.cases.ts'
import { soaCases } from './soa.cases.ts'
import { srvCases } from './srv.cases.ts'
import { sshfpCases } from './sshfp.cases.ts'
import { svcbCases } from './svcb.cases.ts'
import { tlsaCases } from './tlsa.cases.ts'
import { txtCases } from './txt.cases.ts'
import type { TypeCases } from './type-cases.cases.ts'
import { uriCases } from './uri.cases.ts'

export const CASES: { readonly [T in TypeName]: TypeCases<Rdata<T>> } = {
  A: aCases,
  AAAA: aaaaCases,
  CAA: caaCases,
  CDNSKEY: cdnskeyCases,
  CDS: cdsCases,
  CERT: certCases,
  CNAME: cnameCases,
  DNAME: dnameCases,
  DNSKEY: dnskeyCases,
  DS: dsCases,
  HINFO: hinfoCases,
  HTTPS: httpsCases,
  LOC: locCases,
  MX: mxCases,
  NAPTR: naptrCases,
  NS: nsCases,
  OPENPGPKEY: openpgpkeyCases,
  PTR: ptrCases,
  RP: rpCases,
  SMIMEA: smimeaCases,
  SOA: soaCases,
  SRV: srvCases,
  SSHFP: sshfpCases,
  SVCB: svcbCases,
  TLSA: tlsaCases,
  TXT: txtCases,
  URI: uriCases,
}
