// Where the user is signed in; each session can be ended.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { endSession, sessionList, type WireListedSession } from '../../api/account.ts'
import { useToast } from '../../app/toasts.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure, sentenceOf } from '../../parts/states.tsx'
import { Age } from '../../parts/time.tsx'
import { accountStrings } from '../../strings/account.ts'
import { browserName } from './browser-name.ts'

const words = accountStrings.sessions

export function SessionSection() {
  const { data: sessions, error, refetch } = useQuery(sessionList)
  const { columns } = words
  return (
    <Section title={words.title} note={words.note}>
      {error === null ? (
        <table className="plain">
          <thead>
            <tr>
              <th>{columns.where}</th>
              <th className="w200 opt2">{columns.address}</th>
              <th className="w176 opt2">{columns.how}</th>
              <th className="w104">{columns.used}</th>
              <th className="w88">
                <span className="vh">{columns.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions?.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </tbody>
        </table>
      ) : (
        <Failure error={error} onRetry={() => void refetch()} />
      )}
    </Section>
  )
}

function SessionRow({ session }: { readonly session: WireListedSession }) {
  const queries = useQueryClient()
  const toast = useToast()
  const where = browserName(session.user_agent) ?? words.unknown
  const ending = useMutation({
    mutationFn: () => endSession(session.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionList.queryKey })
      toast({ text: words.ended })
    },
    onError: (error) => toast({ text: sentenceOf(error), isError: true }),
  })
  return (
    <tr>
      <td title={session.user_agent ?? undefined}>{session.current ? <b>{where}</b> : where}</td>
      <td className="mono soft opt2">{session.address}</td>
      <td className="soft opt2">{session.methods.map((method) => words.methods[method]).join(', ')}</td>
      <td className="soft">
        <Age at={session.last_used_on} />
      </td>
      <td className="num">
        {session.current ? (
          <span className="soft">{words.current}</span>
        ) : (
          <button
            type="button"
            className="btn bare bad"
            aria-label={words.endOf(where)}
            onClick={() => ending.mutate()}
          >
            {words.end}
          </button>
        )}
      </td>
    </tr>
  )
}
