import { txtCases } from './txt.cases.ts'
import { renamedCases } from './type-cases.cases.ts'

/** The format of TXT; the independent codec does not know the type. */
export const avcCases = renamedCases(txtCases, 'txt', 'avc')
