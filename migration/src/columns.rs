//! Columns by their types; those that end in `_null` may be null, no other may.

use sea_orm::sea_query::{ColumnDef, IntoIden};

pub(crate) fn blob(column: impl IntoIden) -> ColumnDef {
    ColumnDef::new(column).blob().not_null().take()
}

macro_rules! columns {
    ($($name:ident $null:ident ($($argument:ident: $type:ty)?);)*) => { $(
        pub(crate) fn $name(column: impl IntoIden $(, $argument: $type)?) -> ColumnDef {
            ColumnDef::new(column).$name($($argument)?).not_null().take()
        }

        pub(crate) fn $null(column: impl IntoIden $(, $argument: $type)?) -> ColumnDef {
            ColumnDef::new(column).$name($($argument)?).null().take()
        }
    )* };
}

columns! {
    big_integer big_integer_null ();
    boolean boolean_null ();
    integer integer_null ();
    text text_null ();
    uuid uuid_null ();
    var_binary var_binary_null (length: u32);
}
