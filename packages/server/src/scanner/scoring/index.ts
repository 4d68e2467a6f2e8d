export {
  MALICIOUS_BELOW,
  type ScoreContext,
  type ScoreReason,
  type ScriptScores,
  type ScriptVerdict,
  scoreScript,
} from './score-script.ts'
