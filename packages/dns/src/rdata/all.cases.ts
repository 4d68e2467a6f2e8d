// The cases of every record type. A type in the registry without cases does not compile.
import { aCases } from './a.cases.ts'
import { aaaaCases } from './aaaa.cases.ts'
import { afsdbCases } from './afsdb.cases.ts'
import { aplCases } from './apl.cases.ts'
import { avcCases } from './avc.cases.ts'
import { caaCases } from './caa.cases.ts'
import { cdnskeyCases } from './cdnskey.cases.ts'
import { cdsCases } from './cds.cases.ts'
import { certCases } from './cert.cases.ts'
import { cnameCases } from './cname.cases.ts'
import { csyncCases } from './csync.cases.ts'
import { dhcidCases } from './dhcid.cases.ts'
import { dlvCases } from './dlv.cases.ts'
import { dnameCases } from './dname.cases.ts'
import { dnskeyCases } from './dnskey.cases.ts'
import { dsCases } from './ds.cases.ts'
import { eui48Cases } from './eui48.cases.ts'
import { eui64Cases } from './eui64.cases.ts'
import { gposCases } from './gpos.cases.ts'
import { hinfoCases } from './hinfo.cases.ts'
import { hipCases } from './hip.cases.ts'
import { httpsCases } from './https.cases.ts'
import { ipseckeyCases } from './ipseckey.cases.ts'
import { isdnCases } from './isdn.cases.ts'
import { keyCases } from './key.cases.ts'
import { kxCases } from './kx.cases.ts'
import { l32Cases } from './l32.cases.ts'
import { l64Cases } from './l64.cases.ts'
import { locCases } from './loc.cases.ts'
import { lpCases } from './lp.cases.ts'
import { minfoCases } from './minfo.cases.ts'
import { mxCases } from './mx.cases.ts'
import { naptrCases } from './naptr.cases.ts'
import { nidCases } from './nid.cases.ts'
import { nsCases } from './ns.cases.ts'
import { nsapCases } from './nsap.cases.ts'
import { openpgpkeyCases } from './openpgpkey.cases.ts'
import { ptrCases } from './ptr.cases.ts'
import { pxCases } from './px.cases.ts'
import type { Rdata, TypeName } from './registry.ts'
import { rpCases } from './rp.cases.ts'
import { rtCases } from './rt.cases.ts'
import { smimeaCases } from './smimea.cases.ts'
import { soaCases } from './soa.cases.ts'
import { spfCases } from './spf.cases.ts'
import { srvCases } from './srv.cases.ts'
import { sshfpCases } from './sshfp.cases.ts'
import { svcbCases } from './svcb.cases.ts'
import { talinkCases } from './talink.cases.ts'
import { tlsaCases } from './tlsa.cases.ts'
import { txtCases } from './txt.cases.ts'
import type { TypeCases } from './type-cases.cases.ts'
import { uriCases } from './uri.cases.ts'
import { x25Cases } from './x25.cases.ts'
import { zonemdCases } from './zonemd.cases.ts'

export const CASES: { readonly [T in TypeName]: TypeCases<Rdata<T>> } = {
  A: aCases,
  AAAA: aaaaCases,
  AFSDB: afsdbCases,
  APL: aplCases,
  AVC: avcCases,
  CAA: caaCases,
  CDNSKEY: cdnskeyCases,
  CDS: cdsCases,
  CERT: certCases,
  CNAME: cnameCases,
  CSYNC: csyncCases,
  DHCID: dhcidCases,
  DLV: dlvCases,
  DNAME: dnameCases,
  DNSKEY: dnskeyCases,
  DS: dsCases,
  EUI48: eui48Cases,
  EUI64: eui64Cases,
  GPOS: gposCases,
  HINFO: hinfoCases,
  HIP: hipCases,
  HTTPS: httpsCases,
  IPSECKEY: ipseckeyCases,
  ISDN: isdnCases,
  KEY: keyCases,
  KX: kxCases,
  L32: l32Cases,
  L64: l64Cases,
  LOC: locCases,
  LP: lpCases,
  MINFO: minfoCases,
  MX: mxCases,
  NAPTR: naptrCases,
  NID: nidCases,
  NS: nsCases,
  NSAP: nsapCases,
  OPENPGPKEY: openpgpkeyCases,
  PTR: ptrCases,
  PX: pxCases,
  RP: rpCases,
  RT: rtCases,
  SMIMEA: smimeaCases,
  SOA: soaCases,
  SPF: spfCases,
  SRV: srvCases,
  SSHFP: sshfpCases,
  SVCB: svcbCases,
  TALINK: talinkCases,
  TLSA: tlsaCases,
  TXT: txtCases,
  URI: uriCases,
  X25: x25Cases,
  ZONEMD: zonemdCases,
}
