import type { Node } from 'libpg-query';
import { stringOf } from './known-schema.ts';

/** These let readers and writers pass. */
const weak = ['AT_SetRelOptions', 'AT_ResetRelOptions', 'AT_SetStatistics', 'AT_ValidateConstraint'];

/** Whether it lets readers and writers pass, and takes care of its own transactions. */
export function isConcurrent(node: Node): boolean {
  if ('IndexStmt' in node) return node.IndexStmt.concurrent === true;
  return 'DropStmt' in node && node.DropStmt.concurrent === true;
}

/** Tables that writers, or even readers, wait for. */
export function lockedTables(node: Node): string[] {
  const tables: (string | undefined)[] = [];
  if ('AlterTableStmt' in node) {
    for (const command of node.AlterTableStmt.cmds ?? []) {
      if (!('AlterTableCmd' in command)) continue;
      const { subtype = '', def } = command.AlterTableCmd;
      if (!weak.includes(subtype)) tables.push(node.AlterTableStmt.relation?.relname, referencedTable(def));
    }
  }
  if ('CreateStmt' in node) tables.push(...(node.CreateStmt.tableElts ?? []).map(referencedTable));
  if ('CreateTrigStmt' in node) tables.push(node.CreateTrigStmt.relation?.relname);
  if ('RenameStmt' in node) tables.push(node.RenameStmt.relation?.relname);
  if ('IndexStmt' in node && !isConcurrent(node)) tables.push(node.IndexStmt.relation?.relname);
  return tables.filter((table) => table !== undefined);
}

const referencedTable = (node: Node | undefined): string | undefined =>
  node && 'Constraint' in node ? node.Constraint.pktable?.relname : undefined;

export function droppedObjects(node: Node): { kind: string; name: string }[] {
  if (!('DropStmt' in node)) return [];
  const { removeType = '', objects = [] } = node.DropStmt;
  const kind = removeType.replace('OBJECT_', '').toLowerCase();
  return objects.map((object) => ({ kind, name: nameOf(object) }));
}

/** Leaves out the schema, and the table of a trigger. */
function nameOf(object: Node): string {
  if ('List' in object) return stringOf(object.List.items?.at(-1));
  if ('TypeName' in object) return stringOf(object.TypeName.names?.at(-1));
  return 'ObjectWithArgs' in object ? stringOf(object.ObjectWithArgs.objname?.at(-1)) : stringOf(object);
}
