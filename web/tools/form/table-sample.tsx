interface TableSampleProps {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The first rows of a table, by which its columns are chosen. */
export function TableSample({ columns, rows }: TableSampleProps) {
  return (
    <section
      aria-label="Первые строки таблицы"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-lg border px-4"
    >
      <table className="w-full text-md">
        <thead>
          <tr className="border-b text-muted text-sm">
            {columns.map((column, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns of one table keep their order, and names may repeat
              <th key={at} scope="col" className="whitespace-nowrap py-1.5 pe-4 text-start font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one table
            <tr key={row}>
              {columns.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns of one table
                <td key={at} className="whitespace-nowrap py-1.5 pe-4">
                  {cells[at] ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
