"""What PostgreSQL can do, for SQLAlchemy's compliance suite, which assumes a modest database by default."""

# mypy: disable-error-code="no-untyped-call, untyped-decorator"

from typing import Any

from sqlalchemy.testing import exclusions, provision
from sqlalchemy.testing.requirements import SuiteRequirements

CAPABLE = (
    "aggregate_order_by",
    "array_type",
    "async_dialect",
    "autocommit",
    "boolean_col_expressions",
    "check_constraint_reflection",
    "column_collation_reflection",
    "comment_reflection",
    "comment_reflection_full_unicode",
    "computed_columns",
    "computed_columns_reflect_persisted",
    "computed_columns_stored",
    "constraint_comment_reflection",
    "create_or_replace_view",
    "create_table_as",
    "create_temp_table_as",
    "cross_schema_fk_reflection",
    "ctes",
    "ctes_on_dml",
    "ctes_with_update_delete",
    "ctes_with_values",
    "date_historic",
    "datetime_historic",
    "datetime_interval",
    "datetime_timezone",
    "default_schema_name_switch",
    "deferrable_fks",
    "delete_from",
    "except_",
    "expression_server_defaults",
    "fetch_expression",
    "fetch_first",
    "fetch_no_order_by",
    "fetch_ties",
    "fk_constraint_option_reflection_ondelete_noaction",
    "fk_constraint_option_reflection_ondelete_restrict",
    "fk_constraint_option_reflection_onupdate_restrict",
    "foreign_key_constraint_name_reflection",
    "foreign_key_constraint_option_reflection_ondelete",
    "foreign_key_constraint_option_reflection_onupdate",
    "has_temp_table",
    "identity_columns",
    "identity_columns_standard",
    "implicit_default_schema",
    "index_ddl_if_exists",
    "index_reflects_included_columns",
    "indexes_with_expressions",
    "infinity_floats",
    "inline_check_constraint_reflection",
    "intersect",
    "isolation_level",
    "json_type",
    "materialized_views",
    "mod_operator_as_percent_sign",
    "nullsordering",
    "order_by_label_with_expression",
    "percent_schema_names",
    "precision_numerics_enotation_small",
    "precision_numerics_many_significant_digits",
    "precision_numerics_retains_significant_digits",
    "reflect_indexes_with_expressions",
    "reflect_table_options",
    "reflect_tables_no_columns",
    "reflects_pk_names",
    "regexp_match",
    "regexp_replace",
    "repeated_column_foreign_keys",
    "savepoints",
    "schema_create_delete",
    "server_defaults",
    "skip_autocommit_rollback",
    "supports_bitwise_and",
    "supports_bitwise_not",
    "supports_bitwise_or",
    "supports_bitwise_shift",
    "supports_bitwise_xor",
    "supports_distinct_on",
    "table_ddl_if_exists",
    "table_value_constructor",
    "temp_table_names",
    "temporary_views",
    "time_timezone",
    "timestamp_microseconds",
    "tuple_in",
    "unicode_ddl",
    "unique_constraints_reflect_as_index",
    "update_from",
    "uuid_data_type",
    "views",
    "window_functions",
    "window_range",
    "window_range_non_numeric",
    "window_range_numeric",
)


class Requirements(SuiteRequirements):
    """PostgreSQL's capabilities beyond the suite's defaults."""


for capability in CAPABLE:
    if not hasattr(SuiteRequirements, capability):
        raise AttributeError(f"the suite knows no {capability} any more")
    setattr(Requirements, capability, property(lambda _: exclusions.open()))


@provision.temp_table_keyword_args.for_db("postgresql")
def temporary(_configuration: Any, _engine: Any) -> dict[str, list[str]]:  # noqa: ANN401  # untyped in SQLAlchemy
    """How a table is made temporary."""
    return {"prefixes": ["TEMPORARY"]}


@provision.set_default_schema_on_connection.for_db("postgresql")
def set_default_schema(_configuration: Any, connection: Any, schema: str) -> None:  # noqa: ANN401
    """How a connection gets another default schema."""
    before, connection.isolation_level = connection.isolation_level, "AUTOCOMMIT"
    cursor = connection.cursor()
    cursor.execute(f"SET SESSION search_path='{schema}'")
    cursor.close()
    connection.isolation_level = before
