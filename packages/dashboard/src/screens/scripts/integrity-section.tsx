// The scores of a script, and the reasons for them.
import type { WireExplanation } from '../../api/scripts.ts'
import { Score } from '../../parts/score.tsx'
import { Section } from '../../parts/section.tsx'
import { scriptStrings as text } from '../../strings/scripts.ts'
import { readReason, type Reason, type ScoreName } from './reason-text.ts'

const OTHERS: readonly Exclude<ScoreName, 'js_integrity_score'>[] = [
  'malware_score',
  'magecart_score',
  'cryptomining_score',
  'dataflow_score',
  'obfuscation_score',
]

export function IntegritySection({ explanation }: { readonly explanation: WireExplanation }) {
  const { js_integrity_score: score, threshold, analysis } = explanation
  const others = OTHERS.flatMap((name) => {
    const value = explanation[name]
    return typeof value === 'number' ? [`${text.scoreNames[name]} ${value}`] : []
  })
  const isBad = typeof score === 'number' && score < threshold
  return (
    <Section title={text.integrity} note={text.integrityNote(threshold)} mark={isBad ? 'wrong' : undefined}>
      <div className="stack lg">
        <Score value={score} isBig absence={text.analysis[analysis]} />
        <Reasons lines={explanation.reasons} />
        <p className="soft small">
          {others.length > 0 && `${others.join(', ')}. ${text.others} `}
          {text.proof}
        </p>
      </div>
    </Section>
  )
}

function Reasons({ lines }: { readonly lines: readonly string[] }) {
  const reasons = lines.map(readReason)
  const remarks = reasons.filter(({ score }) => score === undefined)
  const findings = distinct(reasons.filter(({ score }) => score !== undefined))
  return (
    <>
      {remarks.map(({ description }) => (
        <p key={description}>{description}</p>
      ))}
      {findings.length > 0 && (
        <table className="plain reasons">
          <thead>
            <tr>
              <th className="w136">{text.reasons.score}</th>
              <th>{text.reasons.reason}</th>
              <th className="w320 opt2">{text.reasons.where}</th>
            </tr>
          </thead>
          <tbody>
            {findings.map(({ score, description, found }, index) => (
              <tr key={index}>
                <td className="soft">{score !== undefined && text.scoreNames[score]}</td>
                <td>
                  {description}
                  {found !== undefined && <span className="found soft mono">{found}</span>}
                </td>
                <td className="opt2 soft mono">{found}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

/** Two flows from different sources can read alike. */
const distinct = (reasons: readonly Reason[]): readonly Reason[] => [
  ...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values(),
]
