/** What an update or a delete returns: on PostgreSQL, TypeORM gives the rows together with their number. */
export const returnedRows = <Row>(answer: Row[] | [Row[], number]): Row[] => (Array.isArray(answer[0]) ? answer[0] : (answer as Row[]));
