// The cases of every record type. A type in the registry without cases does not compile.
import { aCases } from './a.cases.ts'
import { aaaaCases } from './aaaa.cases.ts'
import { caaCases } from './caa.cases.ts'
import { cnameCases } from './cname.cases.ts'
import { hinfoCases } from './hinfo.cases.ts'
import { mxCases } from './mx.cases.ts'
import { nsCases } from './ns.cases.ts'
import { ptrCases } from './ptr.cases.ts'
import type { Rdata, TypeName } from './registry.ts'
import { soaCases } from './soa.cases.ts'
import { srvCases } from './srv.cases.ts'
import { txtCases } from './txt.cases.ts'
import type { TypeCases } from './type-cases.cases.ts'

export const CASES: { readonly [T in TypeName]: TypeCases<Rdata<T>> } = {
  A: aCases,
  AAAA: aaaaCases,
  CAA: caaCases,
  CNAME: cnameCases,
  HINFO: hinfoCases,
  MX: mxCases,
  NS: nsCases,
  PTR: ptrCases,
  SOA: soaCases,
  SRV: srvCases,
  TXT: txtCases,
}
