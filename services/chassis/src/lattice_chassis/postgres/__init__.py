"""PostgreSQL as every Lattice service uses it: transactions, roles, migrations, notifications, remembered requests.

Importing this package makes `postgresql+aiopg` known to SQLAlchemy.
"""

from lattice_chassis.postgres import dialect as dialect
