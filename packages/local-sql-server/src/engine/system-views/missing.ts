/** What SQL Server's catalog has and this one has not, so that it is named rather than called unknown. */

const views = new Set(
  `syscolumns syscomments sysconstraints sysdatabases sysdepends sysfiles sysforeignkeys sysindexes sysindexkeys sysprocesses
  sysreferences systypes sysusers`.split(/\s+/),
);

const columns = new Set(
  `lock_escalation lock_escalation_desc is_replicated has_replication_filter is_merge_published is_sync_tran_subscribed
  has_unchecked_assembly_data text_in_row_limit large_value_types_out_of_row is_tracked_by_cdc is_filetable is_memory_optimized durability
  durability_desc temporal_type temporal_type_desc history_table_id is_remote_data_archive_enabled is_external lob_data_space_id
  filestream_data_space_id max_column_id_used uses_ansi_nulls is_node is_edge ledger_type ledger_type_desc principal_id data_space_id
  ignore_dup_key fill_factor is_padded is_disabled is_hypothetical allow_row_locks allow_page_locks auto_created is_ignored_in_optimization
  compression_delay optimize_for_sequential_key partition_ordinal column_store_order_ordinal is_xml_document xml_collection_id is_rowguidcol
  is_filestream is_non_sql_subscribed is_dts_replicated default_object_id rule_object_id is_sparse is_column_set generated_always_type
  generated_always_type_desc encryption_type encryption_type_desc is_hidden is_masked is_ansi_padded is_assembly_type graph_type
  is_not_for_replication is_not_trusted key_index_id is_system_named is_enforced is_published is_schema_published parent_column_id
  uses_database_collation is_auto_executed is_execution_replicated is_repl_serializable_only skips_repl_constraints has_opaque_metadata
  is_date_correlation_view with_check_option has_default_value default_value is_cursor_ref is_readonly is_table_type is_user_defined
  uses_quoted_identifier execute_as_principal_id uses_native_compilation is_schema_bound is_recompiled null_on_null_input is_inlineable
  owner_sid user_access user_access_desc recovery_model recovery_model_desc page_verify_option page_verify_option_desc is_auto_close_on
  is_auto_shrink_on is_in_standby containment containment_desc source_database_id log_reuse_wait log_reuse_wait_desc is_encrypted
  default_language_name is_query_store_on is_broker_enabled is_trustworthy_on is_fulltext_enabled service_broker_guid
  MODULE_CATALOG MODULE_SCHEMA MODULE_NAME UDT_CATALOG UDT_SCHEMA UDT_NAME TYPE_UDT_CATALOG TYPE_UDT_SCHEMA TYPE_UDT_NAME INTERVAL_TYPE
  INTERVAL_PRECISION SCOPE_CATALOG SCOPE_SCHEMA SCOPE_NAME MAXIMUM_CARDINALITY DTD_IDENTIFIER EXTERNAL_NAME EXTERNAL_LANGUAGE
  PARAMETER_STYLE IS_DETERMINISTIC SQL_DATA_ACCESS IS_NULL_CALL SCHEMA_LEVEL_ROUTINE MAX_DYNAMIC_RESULT_SETS IS_USER_DEFINED_CAST
  IS_IMPLICITLY_INVOCABLE DEFAULT_CHARACTER_SET_CATALOG DEFAULT_CHARACTER_SET_SCHEMA DEFAULT_CHARACTER_SET_NAME`
    .toLowerCase()
    .split(/\s+/),
);

/** Whether a name is a view of SQL Server 2000's catalog that is not supported. */
export function isOldView(name: string): boolean {
  return views.has(name.toLowerCase());
}

/** Whether a name is a column that a supported view of the catalog lacks. */
export function isMissingColumn(name: string): boolean {
  return columns.has(name.toLowerCase());
}
