"""The database's schema, as a freshly migrated and otherwise empty database has it."""

from pathlib import Path

from django.db import connection

from scripts.inventory.folders import write_lines

# Everything of the schema `public`, in PostgreSQL's own words; the order of columns is no part of it. That a column
# may not be NULL is told with it: the name of that constraint is PostgreSQL's and tells what the column once was.
_QUERIES = {
    "tables": """
        SELECT format('%s %s %s', relname, relkind, relpersistence) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace
        """,
    "columns": """
        SELECT format('%s.%s %s%s%s%s%s', relname, attname, format_type(atttypid, atttypmod),
            CASE WHEN attnotnull THEN ' NOT NULL' END,
            CASE WHEN attidentity <> '' THEN ' IDENTITY ' || attidentity::text END,
            CASE WHEN attgenerated <> '' THEN ' GENERATED ' || attgenerated::text END,
            ' DEFAULT ' || pg_get_expr(adbin, adrelid),
            CASE WHEN attcollation <> typcollation THEN ' COLLATE ' || attcollation::regcollation::text END)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_type ON pg_type.oid = atttypid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'm', 'p')
        AND attnum > 0 AND NOT attisdropped
        """,
    "constraints": """
        SELECT format('%s %s %s %s%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
            CASE WHEN convalidated THEN 'valid' ELSE 'NOT VALID' END,
            CASE WHEN condeferrable THEN ' deferrable' END)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
        """,
    "indexes": """
        SELECT pg_get_indexdef(indexrelid) || CASE WHEN indisvalid THEN '' ELSE ' INVALID' END
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
        """,
    "sequences": """
        SELECT format('%s %s from %s by %s between %s and %s', sequencename, data_type, start_value, increment_by,
            min_value, max_value)
        FROM pg_sequences WHERE schemaname = 'public'
        """,
    "functions": """
        SELECT pg_get_functiondef(pg_proc.oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND prokind <> 'a' AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
        """,
    "triggers": """
        SELECT pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
        """,
    "views": "SELECT viewname || ' ' || definition FROM pg_views WHERE schemaname = 'public'",
    "extensions": "SELECT extname FROM pg_extension",
    "comments": """
        SELECT format('%s %s %s', classoid::regclass, objsubid, description) FROM pg_description
        JOIN pg_class ON pg_class.oid = objoid WHERE relnamespace = 'public'::regnamespace
        """,
    "content types": "SELECT app_label || '.' || model FROM django_content_type",
    "permissions": """
        SELECT format('%s.%s %s %s', app_label, model, codename, name)
        FROM auth_permission JOIN django_content_type ON django_content_type.id = content_type_id
        """,
}
_MAY_BE_EMPTY = frozenset({"functions", "triggers", "views", "comments"})


def record(folder: Path) -> None:
    """A file for each kind of thing in the schema, and what migrating writes into the tables."""
    with connection.cursor() as cursor:
        for name, query in _QUERIES.items():
            cursor.execute(query)
            lines = [str(row[0]).replace("\n", " ⏎ ") for row in cursor.fetchall()]
            write_lines(folder / f"{name}.txt", lines or ["none"] * (name in _MAY_BE_EMPTY))
        counts = []
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - from the catalogue
            counts.append(f"{table} {cursor.fetchone()[0]}")
        write_lines(folder / "rows.txt", [line for line in counts if not line.startswith("django_migrations ")])
