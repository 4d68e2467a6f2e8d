// The managed rules that stop ordinary strings, with how many.
import { useQuery } from '@tanstack/react-query'
import { ordinaryStringsOf } from '../../api/managed-rules.ts'
import { Section } from '../../parts/section.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { numberText } from '../../strings.ts'
import { managedRuleStrings as text } from '../../strings/managed-rules.ts'

export function OrdinaryStringsSection({ zoneId }: { readonly zoneId: string }) {
  const rules = useQuery(ordinaryStringsOf(zoneId))
  const [first] = rules.data ?? []
  return (
    <Section title={text.ordinary} note={text.ordinaryNote}>
      <div className="stack">
        {rules.error !== null && <Failure error={rules.error} onRetry={() => void rules.refetch()} />}
        {rules.isPending && <Loading />}
        {first !== undefined && <p className="prose">{text.ordinaryIntro(first.tried)}</p>}
        {first !== undefined && (
          <table className="plain">
            <thead>
              <tr>
                <th>{text.ordinaryColumns.rule}</th>
                <th className="w104 num">{text.ordinaryColumns.stopped}</th>
              </tr>
            </thead>
            <tbody>
              {rules.data?.map(({ id, description, stopped }) => (
                <tr key={id}>
                  <td>{description}</td>
                  <td className="num">{numberText(stopped)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Section>
  )
}
