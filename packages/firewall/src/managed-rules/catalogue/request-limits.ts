// OWASP Request Limits: more arguments, or longer ones, than applications expect.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { expression, owaspGroup, pattern } from './rule-draft.ts'
import { AS_SENT } from './views.ts'

export const REQUEST_LIMITS = owaspGroup({ id: OWASP_GROUP_IDS.requestLimits, tags: ['request-limit'] }, [
  {
    ids: ['1901101', 'b64484c0e12676b2681914478fdcc172', 'bce87fc68d89619d6f51fe2a7bf87785'],
    description: 'More than 255 arguments in the query',
    weight: { level: 1, score: 4 },
    detection: expression`
      len(http.request.uri.query) ge 255 and len(http.request.uri.args.names[255]) ge 0
    `,
  },
  {
    ids: ['1901102', '498773a0ce29ea60355ba9cc1ef10d69', '30c4a1107e8e0dbbdc6b1a9e5e4fc7bb'],
    description: 'Name of an argument longer than 100 octets',
    weight: { level: 2, score: 3 },
    detection: expression`
      len(http.request.uri.query) gt 100 and any(len(http.request.uri.args.names[*])[*] gt 100)
    `,
  },
  {
    ids: ['1901103', '7fb27bf126b3507b929fa538e53c46cb', 'f2e1f8e27065a266afa6a33f183b71b4'],
    description: 'Argument of the query longer than 2,000 octets',
    weight: { level: 2, score: 3 },
    detection: expression`
      len(http.request.uri.query) gt 2000 and any(len(http.request.uri.args.values[*])[*] gt 2000)
    `,
  },
  {
    ids: ['1901104', '2d513740e5aa967b7175fdfc4288d943', '3fc122b29d34ac9278978a78a02e05e2'],
    description: 'Query longer than 4,000 octets',
    weight: { level: 1, score: 3 },
    detection: expression`len(raw.http.request.uri.query) gt 4000`,
  },
  {
    ids: ['1901105', '26fe28664ae786aa2298265bec85899c', '9253f12b9bbf6b3b0eba12ff23034efd'],
    description: 'More than 1,000 fields in a form',
    weight: { level: 1, score: 4 },
    detection: expression`
      http.request.body.size ge 1000 and len(http.request.body.form.names[1000]) ge 0
    `,
  },
  {
    ids: ['1901106', '1d260194cb8c3ee62b59e42071ee72f5', 'e3380dd867fcfbecb472201e60c32df1'],
    description: 'Path longer than 1,000 octets, or with more than 40 segments',
    weight: { level: 2, score: 2 },
    detection: expression`
      len(raw.http.request.uri.path) gt 1000 or len(raw.http.request.uri.path) gt 40 and raw.http.request.uri.path matches "^(?:/[^/]*){41}"
    `,
  },
  {
    ids: ['1901107', '47f3705d9061df8c3e042b515051d935', '1e95b3d15cfe2d36c71e1a7b34384a4f'],
    description: 'Name of a file longer than 255 octets',
    weight: { level: 1, score: 3 },
    detection: pattern(['filenames'], AS_SENT)`^.{256}`,
  },
])
