// Which node types occur inside which: how code is built, whatever its subject.

/** Parents with the types of their children; constants count by the type of their value. */
const CHILDREN: Readonly<Record<string, string>> = {
  MemberExpression:
    'Identifier MemberExpression CallExpression string number BinaryExpression ThisExpression object UpdateExpression ArrayExpression NewExpression AssignmentExpression',
  CallExpression:
    'MemberExpression Identifier string FunctionExpression CallExpression number BinaryExpression ObjectExpression ThisExpression UnaryExpression object UpdateExpression NewExpression ArrayExpression ArrowFunctionExpression LogicalExpression ConditionalExpression boolean',
  Program: 'ExpressionStatement VariableDeclaration FunctionDeclaration IfStatement',
  ExpressionStatement:
    'CallExpression AssignmentExpression SequenceExpression LogicalExpression ConditionalExpression string UnaryExpression UpdateExpression',
  BlockStatement:
    'ExpressionStatement VariableDeclaration IfStatement ReturnStatement ForStatement TryStatement WhileStatement FunctionDeclaration SwitchStatement BreakStatement ForInStatement ThrowStatement',
  FunctionExpression: 'BlockStatement Identifier',
  VariableDeclaration: 'VariableDeclarator',
  VariableDeclarator:
    'Identifier CallExpression MemberExpression BinaryExpression ArrayExpression number string FunctionExpression LogicalExpression ConditionalExpression ObjectExpression NewExpression UnaryExpression AssignmentExpression object AwaitExpression',
  AssignmentExpression:
    'MemberExpression Identifier BinaryExpression CallExpression FunctionExpression UnaryExpression LogicalExpression ObjectExpression ConditionalExpression number string object ArrayExpression NewExpression boolean AssignmentExpression',
  BinaryExpression:
    'string Identifier number CallExpression MemberExpression BinaryExpression UnaryExpression UpdateExpression ConditionalExpression object AssignmentExpression',
  IfStatement:
    'BlockStatement BinaryExpression ExpressionStatement BreakStatement Identifier LogicalExpression UnaryExpression CallExpression MemberExpression ReturnStatement IfStatement ThrowStatement SequenceExpression',
  ObjectExpression: 'Property',
  UnaryExpression:
    'CallExpression number Identifier UnaryExpression ArrayExpression MemberExpression BinaryExpression',
  FunctionDeclaration: 'Identifier BlockStatement',
  ReturnStatement:
    'Identifier CallExpression SequenceExpression BinaryExpression FunctionExpression ConditionalExpression MemberExpression LogicalExpression UnaryExpression ObjectExpression string NewExpression',
  SequenceExpression:
    'AssignmentExpression CallExpression Identifier ConditionalExpression BinaryExpression LogicalExpression UnaryExpression MemberExpression',
  UpdateExpression: 'Identifier',
  ArrayExpression: 'string CallExpression MemberExpression Identifier ObjectExpression FunctionExpression',
  LogicalExpression:
    'BinaryExpression MemberExpression Identifier CallExpression UnaryExpression SequenceExpression LogicalExpression ObjectExpression AssignmentExpression string ArrayExpression number',
  NewExpression: 'Identifier string BinaryExpression MemberExpression CallExpression ObjectExpression',
  Property:
    'string Identifier CallExpression MemberExpression FunctionExpression ObjectExpression number BinaryExpression UnaryExpression ArrayExpression object boolean',
  ForStatement:
    'BinaryExpression VariableDeclaration UpdateExpression BlockStatement AssignmentExpression ConditionalExpression ExpressionStatement CallExpression',
  TryStatement: 'BlockStatement CatchClause',
  CatchClause: 'BlockStatement Identifier',
  ConditionalExpression:
    'Identifier BinaryExpression LogicalExpression AssignmentExpression CallExpression SequenceExpression FunctionExpression MemberExpression number string ConditionalExpression UnaryExpression object ObjectExpression',
  WhileStatement: 'BlockStatement UnaryExpression',
  SwitchStatement: 'SwitchCase MemberExpression',
  ArrowFunctionExpression: 'BlockStatement Identifier',
  SwitchCase: 'ExpressionStatement string VariableDeclaration ContinueStatement',
  ForInStatement: 'Identifier VariableDeclaration',
  ThrowStatement: 'NewExpression',
  AwaitExpression: 'CallExpression',
}

export const PAIR_NAMES: readonly string[] = Object.entries(CHILDREN).flatMap(([parent, children]) =>
  children.split(' ').map((child) => `${parent}>${child}`),
)

/** The square root of each pair's share, so that rare pairs are visible too. */
export function pairValues(pairs: ReadonlyMap<string, number>, nodes: number): readonly number[] {
  return PAIR_NAMES.map((name) => {
    const count = pairs.get(name)
    return count === undefined || nodes === 0 ? 0 : Math.sqrt(count / nodes)
  })
}
