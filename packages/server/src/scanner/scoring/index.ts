export { MALICIOUS_BELOW, type ScriptVerdict, scoreScript } from './score-script.ts'
