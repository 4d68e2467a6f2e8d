// Analyzes browser scripts without executing them: structure, findings, scores.
export { MALICIOUS_BELOW, type ScriptVerdict, scoreScript } from './score-script.ts'
export { readStructure } from './structure.ts'
