// OWASP Slr Et Joomla Attacks: weak parameters of Joomla and its extensions.
import { OWASP_GROUP_IDS } from '../../legacy/legacy-packages.ts'
import { SQL_START, ANY_SQL, REMOTE, UPWARDS, SYSTEM_FILE, NUMBERED } from './known-parameters.ts'
import { check, every, owaspGroup, pattern } from './rule-draft.ts'
import { FILE_PATH, SQL } from './views.ts'

export const SLR_ET_JOOMLA_ATTACKS = owaspGroup({ id: OWASP_GROUP_IDS.slrEtJoomlaAttacks, tags: [] }, [
  {
    ids: ['1900601', 'aee74e88d586e9a9e3c135bc163ca1d6', 'a9f1f5b66fefa55be615df778dbc35e2'],
    description: 'Joomla - SQL in the parameters of a component',
    weight: { level: 1, score: 5 },
    tags: ['joomla', 'sqli'],
    detection: every(
      check(['arg:option'], FILE_PATH)`^com_[a-z0-9_]+`,
      check(NUMBERED, SQL)`
        ${SQL_START}
        ${ANY_SQL}
      `,
    ),
  },
  {
    ids: ['1900602', '90bd8dbce095d8a586d6faa3550b1ab0', '61cc3c7d436b54f2700f20448926333e'],
    description: 'Joomla - Step out of a directory in the controller of a component',
    weight: { level: 1, score: 5 },
    tags: ['joomla', 'file-inclusion'],
    detection: every(
      check(['arg:option'], FILE_PATH)`^com_[a-z0-9_]+`,
      check(
        ['arg:controller', 'arg:view', 'arg:task', 'arg:layout', 'arg:file', 'arg:path', 'arg:folder'],
        FILE_PATH,
      )`
        ${UPWARDS}
        ${SYSTEM_FILE}
      `,
    ),
  },
  {
    ids: ['1900603', '269378a3752926d647dba2692e552f64', 'fffe50411b79c09eda16d6b2abdefee2'],
    description: 'Joomla - Remote file in the path of a component',
    weight: { level: 1, score: 5 },
    tags: ['joomla', 'rfi'],
    detection: pattern(
      [
        'arg:mosconfig_absolute_path',
        'arg:mosconfig.absolute.path',
        'arg:absolute_path',
        'arg:mosc_base_path',
      ],
      FILE_PATH,
    )`
      ${REMOTE}
      ^(?:https?|ftp):/
    `,
  },
  {
    ids: ['1900604', 'ba4e7f4c8a3eb63f58f30fb17c1a1529', '3573eac16826c60f291cca047ffaf5ff'],
    description: 'Joomla - Upload or file list of an editor plugin without a session',
    weight: { level: 2, score: 3 },
    tags: ['joomla', 'broken-access-control'],
    detection: every(
      check(['arg:option'], FILE_PATH)`
        ^com_(?:jce|media|fabrik|foxcontact|jdownloads|b2jcontact|sexycontactform)
      `,
      check(['arg:task', 'arg:plugin', 'arg:method'], FILE_PATH)`
        ^(?:plugin|imgmanager|file\.upload|import|form|upload)
      `,
      check(['method'], FILE_PATH)`^post$`,
    ),
  },
])
