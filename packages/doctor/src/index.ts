// Examinations of an installation, for zonereeve doctor.
export { examineFiles, examineTls } from './files.ts'
export { inOrder, problem, warning, type Finding } from './finding.ts'
export { examineClock, examineOpenFiles, examinePorts } from './process-limits.ts'
export { examineZone, type ExaminedZone, type World } from './zone.ts'
