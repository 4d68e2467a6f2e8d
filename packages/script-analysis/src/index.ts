// Analyzes browser scripts without executing them: structure, findings, scores.
export { MALICIOUS_BELOW, type ScriptVerdict, scoreScript } from './score-script.ts'
export { diffScripts, type ScriptDiff } from './diff-scripts.ts'
export { createPageReader, type PageScript, type PageScripts } from './page-scripts.ts'
export { readStructure } from './structure.ts'
