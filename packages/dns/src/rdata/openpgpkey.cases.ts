import { someOctets } from './arbitraries.cases.ts'
import * as fc from 'fast-check'
import { octetsFromHex } from '../octets.ts'
import type { Openpgpkey } from './openpgpkey.ts'
import type { TypeCases } from './type-cases.cases.ts'

const key = (hex: string): Openpgpkey => ({ key: octetsFromHex(hex) ?? new Uint8Array() })

export const openpgpkeyCases: TypeCases<Openpgpkey> = {
  valid: [
    ['a key', 'mQENBFVHm5sBCADu', '99010d0455479b9b010800ee'],
    ['one octet', 'AA==', '00'],
    ['two octets', 'AAE=', '0001'],
    ['three octets', 'AAEC', '000102'],
    [
      'a longer key',
      'mQINBFit2ioBEADhWpZ8/wvZ6hUTiXOwQHXMAlaFHcPH9hAtr4F1y2+OYdbtMuth',
      '99020d0458adda2a011000e15a967cff0bd9ea15138973b04075cc0256851dc3c7f6102daf8175cb6f8e61d6ed32eb61',
    ],
    ['slashes and padding', 'xsBNBFVHm5sBCADu/////w==', 'c6c04d0455479b9b010800eeffffffff'],
    ['whitespace', 'mQEN BFVHm5sBCADu', '99010d0455479b9b010800ee', 'mQENBFVHm5sBCADu'],
    [
      'lines in parentheses',
      '(\n  mQENBFVHm5sBCADu\n  AAEC )',
      '99010d0455479b9b010800ee000102',
      'mQENBFVHm5sBCADuAAEC',
    ],
    ['a trailing comment', 'mQENBFVHm5sBCADu ; mine', '99010d0455479b9b010800ee', 'mQENBFVHm5sBCADu'],
    ['plus signs', '++++', 'fbefbe'],
    ['a new packet format', 'xjMEYwAAABYJKwYBBAHaRw8BAQdA', 'c633046300000016092b06010401da470f01010740'],
  ],
  values: [
    ['AQID', key('010203')],
    ['/w==', key('ff')],
  ],
  badText: [
    ['nothing', '', 'text.missing'],
    ['no padding', 'AQ', 'text.base64', 0],
    ['one character', 'A', 'text.base64', 0],
    ['too much padding', 'AQID=', 'text.base64', 0],
    ['base64url', 'AQI-', 'text.base64', 0],
    ['padding inside', 'AQ==AQID', 'text.base64', 0],
    ['an armor line', '-----BEGIN', 'text.base64', 0],
  ],
  badValue: [
    ['no key', key(''), ['openpgpkey.key']],
    ['an armoured key', key('2d2d2d2d2d424547494e205047'), ['openpgpkey.armour']],
  ],
  badWire: [['nothing', '', 'wire.truncated']],
  any: fc.record({ key: someOctets }),
}
